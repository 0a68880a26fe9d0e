Feature: Outcome Semantics

  A result states how an invocation ended, and the evidence agrees.

  @CHP-8-01
  Scenario: The outcome is one of the four words
    Then each outcome is defined by the text

  @CHP-8-02
  Scenario: Success is true only with the outcome success
    Then success is true only with the outcome success
    And at least one invocation has the outcome success

  @CHP-8-03
  Scenario: Success is true with the outcome success
    Then at least one invocation has the outcome success
    And success is a boolean and true with the outcome success

  @CHP-8-04
  Scenario: Success returns the data of the handler
    Then at least one invocation has the outcome success
    And each success returns the data of its handler

  @CHP-8-05
  Scenario: An execution error is a failure
    Then each failed execution has the outcome failure
    And the host continues to serve after a failure

  @CHP-8-06
  Scenario: A rejection at the boundary is a denial
    Then each rejection at the boundary has the outcome denied

  @CHP-8-07
  Scenario: The host does not execute a skipped invocation
    Then no skipped invocation was executed

  @CHP-8-08
  Scenario: A success emits a start and a completion
    Then each outcome success emits execution_started and then execution_completed

  @CHP-8-09
  Scenario: A failure emits a start and a failure
    Then each outcome failure emits execution_started and then execution_failed

  @CHP-8-10
  Scenario: A denial emits a denial event
    Then each outcome denied emits execution_denied

  @CHP-8-11
  Scenario: A skip emits a skip event
    Then each skip emits execution_skipped

  @CHP-8-13
  Scenario: Result and events agree
    Then each result agrees with its events, which end once

  @CHP-8-14
  Scenario: A result conforms to the closed reading
    Then each invocation-result conforms to its closed reading
