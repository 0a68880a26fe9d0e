Feature: Denial codes

  @CHP-DENY-01 @live
  Scenario: A denial on a reserved condition has the reserved code
    Then each denied invocation of unknown-capabilities has the code capability_not_found
    And each denied invocation of unknown-versions has the code capability_not_found

  @CHP-DENY-02 @live
  Scenario: A denial that will recur is not retryable
    Then a denial with a lasting code states false

  @CHP-DENY-03 @live
  Scenario: A denial that may clear without another request is retryable
    Then a denial with a passing code states true

  @CHP-DENY-04 @live
  Scenario: The details of a denial have what the table lists for its code
    Then the details of each denial have what is listed for its code

  @CHP-DENY-07 @live
  Scenario: A code that is not reserved is a name under a reversed domain
    Then each code is reserved or a name under a reversed domain
