Feature: Actors

  @CHP-ACT-03 @live @todo
  Scenario: An actor that the capability does not allow is denied with policy_blocked
