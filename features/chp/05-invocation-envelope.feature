Feature: Invocation Envelope

  Every invocation passes an envelope-compatible boundary.

  @CHP-5-01
  Scenario: An envelope is answered by its own result
    Then each envelope is answered by its own result
    And some capability came back with success

  @CHP-5-01
  Scenario: No result contains the ids of another envelope
    Then no result bears the ids of another envelope

  @CHP-5-14
  Scenario: Results repeat the ids of the envelope
    Then some capability came back with success
    And each result bears the ids of its envelope as they were sent

  @CHP-5-09
  Scenario: The host does not copy raw payloads into evidence
    Then no mark of a payload is found in the evidence that the host writes

  @CHP-5-10
  Scenario: The host does not execute invalid envelopes
    Then nothing that is no envelope is executed
    And the host goes on serving

  @CHP-5-11
  Scenario: The host refuses invalid envelopes in the form of the binding
    Then whatever is no envelope is refused in the form of the binding
