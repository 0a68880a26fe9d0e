Feature: Correlation

  @CHP-7-04 @live
  Scenario: Every invocation result has the correlation context
    Then each result has the correlation of a result
    And each result keeps the correlation id

  @CHP-7-03 @live
  Scenario: Every evidence event has the correlation context
    Then each event has its correlation
    And each event keeps the correlation id
