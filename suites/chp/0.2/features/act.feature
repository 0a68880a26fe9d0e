Feature: Actors

  @CHP-ACT-03 @live
  Scenario: An actor that the capability does not allow is denied with policy_blocked
    Then each invocation of strange-actors is denied with policy_blocked
