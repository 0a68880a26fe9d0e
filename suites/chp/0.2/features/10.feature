Feature: Replay

  @CHP-10-06 @live
  Scenario: A replay result has the requested correlation id
    Then each replay has the requested correlation id

  @CHP-10-07 @live
  Scenario: A replay result has a list of events
    Then each replay lists its events

  @CHP-10-08 @live
  Scenario: A replay result has the number of its events
    Then each replay has its event_count
    And the number of events is right

  @CHP-10-09 @live
  Scenario: A replay result has the time of the replay
    Then each replay has its replayed_at

  @CHP-10-30 @live
  Scenario: A replay with a limit has at most as many events
    Then each replay with a limit has at most as many events

  @CHP-10-31 @live
  Scenario: A replay since a sequence has no event before it
    Then each replay since a sequence has no event before it
