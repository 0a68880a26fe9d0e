Feature: Replay Semantics

  A host returns evidence by correlation id, in the order of its sequence.

  @CHP-10-01
  Scenario: A replay returns all evidence of its correlation
    Then each replay shows all of its correlation

  @CHP-10-02
  Scenario: A replay returns no other evidence
    Then each replay contains only events of the correlation that was asked for

  @CHP-10-03
  Scenario: A limit bounds the number of events
    Then each limit bounds its replay

  @CHP-10-04
  Scenario: A replay starts at since_sequence
    Then each replay since a sequence begins there

  @CHP-10-05
  Scenario: A replay without payloads contains none
    Then each replay has the payloads that it is asked for

  @CHP-10-06
  Scenario: A replay result has the correlation id
    Then each replay result has its correlation_id
    And each replay result bears the id that was asked for

  @CHP-10-07
  Scenario: A replay result has events
    Then each replay result has its events

  @CHP-10-08
  Scenario: A replay result states the number of its events
    Then each replay result has its event_count
    And each whole replay tells the number of its events

  @CHP-10-08
  Scenario: A replay with a limit states the number of its events
    Then each other replay tells its own number or that of all

  @CHP-10-09
  Scenario: A replay result has its time
    Then each replay result has its replayed_at

  @CHP-10-10
  Scenario: Events are in the order of their sequence
    Then the events of each replay stand in the order of their sequence

  @CHP-10-12
  Scenario: A replay result conforms to the closed reading
    Then each replay-result keeps to its closed reading
