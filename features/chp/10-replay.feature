Feature: Replay Semantics

  Evidence comes back by correlation id, in the order of its sequence.

  @CHP-10-01
  Scenario: A replay shows all of its correlation
    When several invocations share a correlation
    Then a replay of it shows each of them

  @CHP-10-01
  Scenario: A replay shows what came after another one
    When a capability is invoked again under an id that was used before
    Then a replay of it shows each of them

  @CHP-10-01
  Scenario: A replay by an unusual id shows its invocation
    When a capability is invoked under unusual correlation ids and with a full context
    And correlations whose ids are alike are used side by side
    And many callers invoke at the same time
    Then a replay of each of them shows its invocation

  @CHP-10-01
  Scenario: A replay shows the same however often it is asked for
    When the same evidence is replayed ten times
    Then each of the ten shows it

  @CHP-10-02
  Scenario: A replay shows nothing else
    When everything that can be is invoked
    Then each replay holds events of its own correlation alone

  @CHP-10-03
  Scenario: A limit bounds a replay
    When several invocations share a correlation
    Then a limit bounds the events of a replay

  @CHP-10-03
  Scenario: A limit bounds a replay beside other members of the query
    When several invocations share a correlation
    And its evidence is asked for by several members of a query at once
    Then each limit bounds its replay

  @CHP-10-04
  Scenario: A replay starts since a sequence
    When several invocations share a correlation
    Then a replay since a sequence leaves out what comes before and nothing else

  @CHP-10-04
  Scenario: A replay starts since a sequence beside other members of the query
    When several invocations share a correlation
    And its evidence is asked for by several members of a query at once
    Then each replay since a sequence begins there

  @CHP-10-05
  Scenario: A replay without payloads has none
    When everything that can be is invoked
    Then a replay without payloads has none

  @CHP-10-05
  Scenario: Payloads are as they are asked for beside other members of the query
    When several invocations share a correlation
    And its evidence is asked for by several members of a query at once
    Then each replay has the payloads that it is asked for

  @CHP-10-06
  Scenario: A replay result has the correlation id
    When everything that can be is invoked
    Then each replay result has its correlation_id
    And each replay result bears the id that was asked for

  @CHP-10-07
  Scenario: A replay result has events
    When everything that can be is invoked
    Then each replay result has its events

  @CHP-10-08
  Scenario: A replay result counts its events
    When everything that can be is invoked
    Then each replay result has its event_count
    And the number of events is the number that it tells

  @CHP-10-08
  Scenario: A replay with a limit counts its events
    When several invocations share a correlation
    Then a limited replay tells its own number or that of all

  @CHP-10-09
  Scenario: A replay result has its time
    When everything that can be is invoked
    Then each replay result has its replayed_at

  @CHP-10-10
  Scenario: Events stand in the order of their sequence
    When everything that can be is invoked
    Then the events stand in the order of their sequence

  @CHP-10-10
  Scenario: Events that a limit leaves stand in the order of their sequence
    When several invocations share a correlation
    Then those that a limit leaves stand in it, too

  @CHP-10-12
  Scenario: A replay result keeps to the closed reading
    When everything that can be is invoked
    And each of the replay results that were seen is looked at
    Then it keeps to the closed reading of replay-result
