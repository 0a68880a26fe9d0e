Feature: Correlation Requirements

  The correlation context links related attempts, from the caller to the evidence.

  @CHP-7-01
  Scenario: The host preserves the correlation id of the caller
    Then the result and the events contain the correlation id of the caller
    And at least one invocation has the outcome success

  @CHP-7-02
  Scenario: The host generates a missing correlation id
    Then the host accepts an invocation without a correlation id
    And the host generates a missing id and returns it in the result and the evidence
    And the host generates a different id for each invocation

  @CHP-7-03
  Scenario: Every event has the correlation context
    Then each event contains the correlation context

  @CHP-7-04
  Scenario: Every result has the correlation context
    Then each result contains the correlation context
    And at least one invocation has the outcome success

  @CHP-7-05
  Scenario: The host does not replace unusual correlation ids
    Then the host returns each unusual or shared id as it was sent, or openly refuses it

  @CHP-7-06
  Scenario: The host preserves the rest of the context
    Then at least one invocation has the outcome success
    And the host returns the other members of each context

  @CHP-7-07
  Scenario: The host accepts each form of a missing correlation id
    Then at least one invocation has the outcome success
    And the host accepts each form of a missing id

  @CHP-7-07
  Scenario: The host does not use an empty correlation id
    Then the host uses no empty id

  @CHP-7-08
  Scenario: A correlation context conforms to the closed reading
    Then each correlation-context conforms to its closed reading
