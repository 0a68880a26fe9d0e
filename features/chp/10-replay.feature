Feature: Replay Semantics

  A host returns evidence by correlation id, in the order of its sequence.

  @CHP-10-01
  Scenario: A replay returns all evidence of its correlation
    Then each replay returns all evidence of its correlation
    And each repeated replay shows the invocations that an earlier one showed
    And each replay contains the events that a replay with more query members contains

  @CHP-10-02
  Scenario: A replay returns no other evidence
    Then each replay contains only events of the requested correlation

  @CHP-10-03
  Scenario: A limit bounds the number of events
    Then each limit bounds the number of events

  @CHP-10-04
  Scenario: A replay starts at since_sequence
    Then each replay with since_sequence starts at that place

  @CHP-10-05
  Scenario: A replay without payloads contains none
    Then each replay contains payloads as requested
    And each replay without payloads contains the same events

  @CHP-10-06
  Scenario: A replay result has the correlation id
    Then each replay result has its correlation_id
    And each replay result contains the requested id

  @CHP-10-07
  Scenario: A replay result has events
    Then each replay result has its events

  @CHP-10-08
  Scenario: A replay result states the number of its events
    Then each replay result has its event_count
    And each complete replay states the number of its events

  @CHP-10-08
  Scenario: A replay with a limit states the number of its events
    Then each other replay states its own number of events or the total

  @CHP-10-09
  Scenario: A replay result has its time
    Then each replay result has its replayed_at

  @CHP-10-10
  Scenario: Events are in the order of their sequence
    Then the events of each replay are in the order of their sequence

  @CHP-10-12
  Scenario: A replay result conforms to the closed reading
    Then each replay-result conforms to its closed reading
