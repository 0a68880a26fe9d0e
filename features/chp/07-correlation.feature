Feature: Correlation Requirements

  The correlation links what belongs together, from the caller to the evidence.

  @CHP-7-01
  Scenario: The correlation id of a caller is kept
    When everything that can be is invoked
    Then result and events bear the correlation id of the caller
    And some capability came back with success

  @CHP-7-02
  Scenario: A missing correlation id is made
    When a capability is invoked without a correlation id
    Then the host makes an id and gives it back in result and evidence
    And no two of them get the same id

  @CHP-7-03
  Scenario: Every event has the correlation context
    When everything that can be is invoked
    Then each event has its correlation context

  @CHP-7-04
  Scenario: Every result has the correlation context
    When everything that can be is invoked
    Then each result has its correlation context
    And some capability came back with success

  @CHP-7-05
  Scenario: Unusual correlation ids are not replaced
    When a capability is invoked under unusual correlation ids and with a full context
    Then each comes back as it was sent or is refused openly

  @CHP-7-05
  Scenario: A correlation id that was used before is not replaced
    When a capability is invoked again under an id that was used before
    Then each comes back as it was sent or is refused openly

  @CHP-7-05
  Scenario: Correlation ids of callers at the same time are not mixed
    When many callers invoke at the same time
    Then each comes back as it was sent or is refused openly

  @CHP-7-06
  Scenario: The rest of the context is not lost
    When a capability is invoked under unusual correlation ids and with a full context
    Then some capability came back with success
    And the rest of the context comes back too

  @CHP-7-07
  Scenario: Each form of a missing correlation id is taken
    When a capability is invoked without a correlation id
    Then some capability came back with success
    And each form of it is taken

  @CHP-7-07
  Scenario: An empty correlation id is not carried on
    When a capability is invoked with null and with an empty text as correlation id
    Then an id is made or the request is refused

  @CHP-7-08
  Scenario: A correlation context keeps to the closed reading
    When everything that can be is invoked
    And each of the correlation contexts that were seen is looked at
    Then it keeps to the closed reading of correlation-context
