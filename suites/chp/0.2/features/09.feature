Feature: Denial

  @CHP-9-07 @live
  Scenario: A denied result contains a denial record
    Then each denied result has a denial record

  @CHP-9-08 @live
  Scenario: A denial record has a stable code
    Then each denial record has its code, text
    And equal invocations are denied with equal codes

  @CHP-9-09 @live
  Scenario: A denial record has a human-readable message
    Then each denial record has its message, text

  @CHP-9-11 @live
  Scenario: A denial record states whether a retry makes sense
    Then each denial record has its retryable, flag
