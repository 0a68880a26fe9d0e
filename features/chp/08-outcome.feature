Feature: Outcome Semantics

  A result states how an invocation ended, and the evidence agrees.

  @CHP-8-01
  Scenario: The outcome is one of the four words
    Then each outcome is one of the text

  @CHP-8-02
  Scenario: Success is true only with the outcome success
    Then success is true with the outcome success alone
    And some capability came back with success

  @CHP-8-03
  Scenario: Success is true with the outcome success
    Then some capability came back with success
    And success is a boolean and true with the outcome success

  @CHP-8-04
  Scenario: Success returns the data of the handler
    Then some capability came back with success
    And each success gives the data of its handler

  @CHP-8-05
  Scenario: An execution error is a failure
    Then each execution that went wrong is a failure
    And the host goes on serving after a failure

  @CHP-8-06
  Scenario: A rejection at the boundary is a denial
    Then each rejection at the boundary is a denial

  @CHP-8-07
  Scenario: The host does not execute a skipped invocation
    Then nothing of a skipped invocation was executed

  @CHP-8-08
  Scenario: A success emits a start and a completion
    Then each outcome success leaves execution_started and then execution_completed

  @CHP-8-09
  Scenario: A failure emits a start and a failure
    Then each outcome failure leaves execution_started and then execution_failed

  @CHP-8-10
  Scenario: A denial emits a denial event
    Then each outcome denied leaves execution_denied

  @CHP-8-11
  Scenario: A skip emits a skip event
    Then each outcome skipped leaves execution_skipped

  @CHP-8-13
  Scenario: Result and events agree
    Then each result and its events tell one story with one end

  @CHP-8-14
  Scenario: A result conforms to the closed reading
    Then each invocation-result keeps to its closed reading
