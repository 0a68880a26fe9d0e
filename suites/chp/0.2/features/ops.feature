Feature: Timeouts

  @CHP-OPS-02 @live @todo
  Scenario: An execution that exceeds the declared timeout is a failure
