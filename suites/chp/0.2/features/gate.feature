Feature: Pipeline

  @CHP-GATE-01 @live
  Scenario: An invocation without an id of a capability is denied with capability_not_found
    Then each invocation of blank-ids is denied with capability_not_found

  @CHP-GATE-02 @live
  Scenario: An invocation of a capability or version that is not registered is denied with capability_not_found
    Then each invocation of unknown-capabilities is denied
    And each invocation of unknown-versions is denied

  @CHP-GATE-03 @live
  Scenario: An invocation of a disabled capability is skipped with execution_skipped and capability_disabled
    Then each skip leaves execution_skipped
    And no skip is a denial

  @CHP-GATE-04 @live
  Scenario: An invocation in a mode that the capability does not list is denied with unsupported_mode
    Then each invocation of other-modes is denied with unsupported_mode

  @CHP-GATE-05 @live
  Scenario: The first gate that holds decides, and nothing after it happens
    Then a mode that is not listed is denied before the payload is judged
    And an unknown capability is denied before the mode is judged
    And a disabled capability is skipped in each mode
    And nothing of a later gate follows a denial

  @CHP-GATE-06 @live
  Scenario: An invariant that the host enforces and the payload breaks is denied with invariant_failed and its id
    Then the denial of an invariant names it

  @CHP-GATE-07 @live
  Scenario: An invocation beyond the limit of actions is denied with budget_exceeded
    Then a budget is not exceeded by denials and ends after its limit

  @CHP-GATE-08 @live
  Scenario: A payload that breaks the declared input schema is denied with input_schema_validation_failed
    Then each invalid payload is denied by the gate of the schema or an earlier one

  @CHP-GATE-09 @live
  Scenario: The event of such a denial names schema and path
    Then the denial of input names schema and path

  @CHP-GATE-10 @live
  Scenario: An invocation that passes all gates leaves execution_started and then its end
    Then each success begins with execution_started and ends with execution_completed
    And each failure begins with execution_started and ends with execution_failed

  @CHP-GATE-11 @live
  Scenario: A result that breaks the declared output schema is denied in strict mode, and marked otherwise
    Then a result that breaks the output schema is marked

  @CHP-GATE-12 @live
  Scenario: The event of such a denial names schema and path
    Then the denial of output names schema and path

  @CHP-GATE-13 @live
  Scenario: A processed invocation leaves evidence
    Then each answered invocation leaves evidence

  @CHP-GATE-14 @live
  Scenario: An invocation of a capability that requires approval is denied with approval_required
    Then each denial of a capability that requires approval says so
