Feature: Invocation Envelope

  Every invocation passes a boundary that takes envelopes.

  @CHP-5-01
  Scenario: An envelope is answered by its own result
    When the capabilities are invoked
    Then each envelope is answered by its own result
    And some capability came back with success

  @CHP-5-01
  Scenario: No result is another's
    When everything that can be is invoked
    Then no result bears the ids of another envelope

  @CHP-5-14
  Scenario: Ids come back as they were sent
    When everything that can be is invoked
    Then some capability came back with success
    And each result bears the ids of its envelope as they were sent

  @CHP-5-09
  Scenario: Raw payloads stay out of the evidence
    When payloads with a mark of their own are invoked
    Then no mark is found in the evidence that the host writes

  @CHP-5-10 @exclusive
  Scenario: What is no envelope is not executed
    When what is no envelope is sent
    Then none of it is executed
    And the host goes on serving

  @CHP-5-11 @exclusive
  Scenario: What is no envelope is refused in the form of the binding
    When what is no envelope is sent
    Then each of it is refused in the form of the binding
