Feature: Retention

  @CHP-RET-01 @live @todo
  Scenario: Retention leaves the remaining evidence verifiable

  @CHP-RET-01 @document @todo
  Scenario: Retention leaves the remaining evidence verifiable, in a file
