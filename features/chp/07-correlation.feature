Feature: Correlation Requirements

  The correlation links what belongs together, from the caller to the evidence.

  @CHP-7-01
  Scenario: The correlation id of a caller is kept
    Then result and events bear the correlation id of the caller
    And some capability came back with success

  @CHP-7-02
  Scenario: A missing correlation id is made
    Then the host makes an id where none is given, in result and evidence
    And no two invocations get the same id

  @CHP-7-03
  Scenario: Every event has the correlation context
    Then each event has its correlation context

  @CHP-7-04
  Scenario: Every result has the correlation context
    Then each result has its correlation context
    And some capability came back with success

  @CHP-7-05
  Scenario: Unusual correlation ids are not replaced
    Then each unusual or shared id comes back as it was sent or is refused openly

  @CHP-7-06
  Scenario: The rest of the context is not lost
    Then some capability came back with success
    And the rest of each context comes back too

  @CHP-7-07
  Scenario: Each form of a missing correlation id is taken
    Then some capability came back with success
    And each form of a missing id is taken

  @CHP-7-07
  Scenario: An empty correlation id is not used
    Then no empty id is carried on

  @CHP-7-08
  Scenario: A correlation context keeps to the closed reading
    Then each correlation-context keeps to its closed reading
