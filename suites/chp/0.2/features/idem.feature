Feature: Replay of results

  @CHP-IDEM-01 @live
  Scenario: An invocation that the host recorded is not executed again; its recorded result is returned
    Then the second answer to an invocation is the recorded result

  @CHP-IDEM-02 @live
  Scenario: A result that was replayed says so
    Then the second answer to an invocation says that it is replayed
    And no first answer to an invocation says that it is replayed

  @CHP-IDEM-03 @live
  Scenario: A replay of a result leaves no further event
    Then a replay of a result leaves no event

  @CHP-IDEM-04 @live
  Scenario: A denial is replayed as well as a success
    Then the second answer to a denied invocation is the same denial
