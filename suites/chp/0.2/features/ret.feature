Feature: Retention

  @CHP-RET-01 @live @when:hash-chain
  Scenario: Retention leaves the remaining evidence verifiable
    Then no event of a bundle follows one that is missing
