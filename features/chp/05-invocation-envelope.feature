Feature: Invocation Envelope

  Every invocation passes an envelope-compatible boundary.

  @CHP-5-01
  Scenario: An envelope is answered by its own result
    Then the host answers each envelope with its own result
    And at least one invocation has the outcome success

  @CHP-5-01
  Scenario: No result contains the ids of another envelope
    Then no result contains the ids of another envelope

  @CHP-5-14
  Scenario: Results repeat the ids of the envelope
    Then at least one invocation has the outcome success
    And each result contains the ids of its envelope as they were sent
    And each event spells the id of the capability as the envelope does

  @CHP-5-09
  Scenario: The host does not copy raw payloads into evidence
    Then no event that the host writes contains the marker of a payload

  @CHP-5-10
  Scenario: The host does not execute invalid envelopes
    Then the host executes no message that is not an envelope
    And the host continues to serve

  @CHP-5-11
  Scenario: The host refuses invalid envelopes in the form of the binding
    Then the host refuses each message that is not an envelope in the form of the binding
