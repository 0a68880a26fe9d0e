Feature: Invocation

  @CHP-5-01 @live @todo
  Scenario: An invocation passes a boundary that accepts an envelope and answers it with its result
