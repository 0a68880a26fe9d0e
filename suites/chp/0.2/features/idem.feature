Feature: Replay of results

  @CHP-IDEM-01 @live @todo
  Scenario: An invocation that the host recorded is not executed again; its recorded result is returned

  @CHP-IDEM-02 @live @todo
  Scenario: A result that was replayed says so

  @CHP-IDEM-03 @live @todo
  Scenario: A replay of a result leaves no further event

  @CHP-IDEM-04 @live @todo
  Scenario: A denial is replayed as well as a success
