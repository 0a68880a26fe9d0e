Feature: Actors

  @CHP-ACT-03 @live
  Scenario: An actor that the capability does not allow is denied with policy_blocked
    Then an actor that is not allowed is denied with policy_blocked
