Feature: Correlation

  @CHP-7-04 @live @todo
  Scenario: Every invocation result has the correlation context

  @CHP-7-03 @live @todo
  Scenario: Every evidence event has the correlation context

  @CHP-7-03 @document @todo
  Scenario: Every evidence event has the correlation context, in a file
