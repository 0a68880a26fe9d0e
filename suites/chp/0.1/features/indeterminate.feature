Feature: Indeterminate Outcome

  An execution whose end the host does not know has an outcome and events of its own.

  @CHP-8-15
  Scenario: The result does not turn an indeterminate outcome into another one
    Then no invocation that ended indeterminate has the outcome success or failure

  @CHP-8-16
  Scenario: The record of an indeterminate outcome stays as it is
    Then each record of an indeterminate outcome is the same in each later replay

  @CHP-8-17
  Scenario: An indeterminate outcome emits a start and its own event
    Then each indeterminate outcome emits execution_indeterminate

  @CHP-8-18
  Scenario: An indeterminate outcome emits no other end
    Then no indeterminate outcome emits execution_completed or execution_failed
