Feature: Invocation

  @CHP-5-01 @live
  Scenario: An invocation passes a boundary that accepts an envelope and answers it with its result
    Then each invocation of a listed capability is answered by its result
