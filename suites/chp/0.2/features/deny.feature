Feature: Denial codes

  @CHP-DENY-01 @live @todo
  Scenario: A denial on a reserved condition has the reserved code

  @CHP-DENY-02 @live @todo
  Scenario: A denial that will recur is not retryable

  @CHP-DENY-03 @live @todo
  Scenario: A denial that may clear without another request is retryable

  @CHP-DENY-04 @live @todo
  Scenario: The details of a denial have what the table lists for its code

  @CHP-DENY-07 @live @todo
  Scenario: A code that is not reserved is a name under a reversed domain
