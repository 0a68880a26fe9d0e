Feature: FR-SDK-6, audit and governance

  Invocations are logged, hooks run, and what is immutable stays.

  @ACD-SDK6-01
  Scenario: Invocations are logged
    Given a capability runs
    Then invocations are logged

  @ACD-SDK6-02 @with:execlog
  Scenario: Hooks run before
    Given a capability runs
    Then hooks before an invocation run before it

  @ACD-SDK6-03
  Scenario: Immutable capabilities stay
    Given the registry shows its entries
    And what is mutable can be changed
    Then what is immutable stays as it is

  @ACD-SDK6-04
  Scenario: Inputs are logged as declared
    Given a capability runs
    Then inputs are logged as declared

  @ACD-SDK6-05
  Scenario: Outputs are logged as declared
    Given a capability runs
    Then outputs are logged as declared

  @ACD-SDK6-06 @with:execlog
  Scenario: Hooks run after
    Given a capability runs
    Then hooks after an invocation run after it

  @ACD-SDK6-07 @with:execlog @role:fails
  Scenario: Hooks run on an error
    Given a capability runs
    Then hooks on an error run after a failure and only then
