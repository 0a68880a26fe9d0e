Feature: Correlation Requirements

  The correlation context links related attempts, from the caller to the evidence.

  @CHP-7-01
  Scenario: The host preserves the correlation id of the caller
    Then result and events bear the correlation id of the caller
    And some capability came back with success

  @CHP-7-02
  Scenario: The host generates a missing correlation id
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
  Scenario: The host does not replace unusual correlation ids
    Then each unusual or shared id comes back as it was sent or is refused openly

  @CHP-7-06
  Scenario: The host preserves the rest of the context
    Then some capability came back with success
    And the rest of each context comes back too

  @CHP-7-07
  Scenario: The host accepts each form of a missing correlation id
    Then some capability came back with success
    And each form of a missing id is taken

  @CHP-7-07
  Scenario: The host does not use an empty correlation id
    Then no empty id is carried on

  @CHP-7-08
  Scenario: A correlation context conforms to the closed reading
    Then each correlation-context keeps to its closed reading
