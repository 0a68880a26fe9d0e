Feature: FR-SDK-6, audit and governance

  Invocations are logged, hooks run, and immutable capabilities do not change.

  @ACD-SDK6-01
  Scenario: Invocations are logged
    Then each invocation that is to be logged has a record

  @ACD-SDK6-02 @with:execlog
  Scenario: Hooks run before an invocation
    Then each hook of pre_invoke runs once for each call, in its place

  @ACD-SDK6-03
  Scenario: Immutable capabilities do not change
    Then what is immutable stays as it is

  @ACD-SDK6-04
  Scenario: Inputs are logged as declared
    Then inputs stand in records where the descriptor says so, and only there

  @ACD-SDK6-05
  Scenario: Outputs are logged as declared
    Then outputs stand in records where the descriptor says so, and only there

  @ACD-SDK6-06 @with:execlog
  Scenario: Hooks run after an invocation
    Then each hook of post_invoke runs once for each call, in its place

  @ACD-SDK6-07 @with:execlog @role:fails
  Scenario: Hooks run on an error
    Then each hook of on_error runs once for each call, in its place
