Feature: Replay

  @CHP-10-06 @live @todo
  Scenario: A replay result has the requested correlation id

  @CHP-10-06 @document @todo
  Scenario: A replay result has the requested correlation id, in a file

  @CHP-10-07 @live @todo
  Scenario: A replay result has a list of events

  @CHP-10-07 @document @todo
  Scenario: A replay result has a list of events, in a file

  @CHP-10-08 @live @todo
  Scenario: A replay result has the number of its events

  @CHP-10-08 @document @todo
  Scenario: A replay result has the number of its events, in a file

  @CHP-10-09 @live @todo
  Scenario: A replay result has the time of the replay

  @CHP-10-09 @document @todo
  Scenario: A replay result has the time of the replay, in a file
