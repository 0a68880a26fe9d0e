Feature: FR-SDK-6, audit and governance

  Invocations are logged, hooks run, and immutable capabilities do not change.

  @ACD-SDK6-01
  Scenario: Invocations are logged
    Then each invocation that must be logged has a record

  @ACD-SDK6-02 @with:execlog
  Scenario: Hooks run before an invocation
    Then each pre_invoke hook runs once for each call and at the right time

  @ACD-SDK6-03
  Scenario: Immutable capabilities do not change
    Then no immutable capability changes

  @ACD-SDK6-04
  Scenario: Inputs are logged as declared
    Then inputs are logged if, and only if, the descriptor says so

  @ACD-SDK6-05
  Scenario: Outputs are logged as declared
    Then outputs are logged if, and only if, the descriptor says so

  @ACD-SDK6-06 @with:execlog
  Scenario: Hooks run after an invocation
    Then each post_invoke hook runs once for each call and at the right time

  @ACD-SDK6-07 @with:execlog @role:fails
  Scenario: Hooks run on an error
    Then each on_error hook runs once for each call and at the right time
