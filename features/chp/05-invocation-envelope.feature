Feature: Invocation Envelope

  Every invocation passes a boundary that takes envelopes.

  @CHP-5-01
  Scenario: An envelope is answered by its own result
    Then each envelope is answered by its own result
    And some capability came back with success

  @CHP-5-01
  Scenario: No result belongs to another envelope
    Then no result bears the ids of another envelope

  @CHP-5-14
  Scenario: Ids come back as they were sent
    Then some capability came back with success
    And each result bears the ids of its envelope as they were sent

  @CHP-5-09
  Scenario: Raw payloads stay out of the evidence
    Then no mark of a payload is found in the evidence that the host writes

  @CHP-5-10
  Scenario: Invalid envelopes are not executed
    Then nothing that is no envelope is executed
    And the host goes on serving

  @CHP-5-11
  Scenario: Invalid envelopes are refused in the form of the binding
    Then whatever is no envelope is refused in the form of the binding
