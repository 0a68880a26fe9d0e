Feature: Pipeline

  @CHP-GATE-01 @live @todo
  Scenario: An invocation without an id of a capability is denied with capability_not_found

  @CHP-GATE-02 @live @todo
  Scenario: An invocation of a capability or version that is not registered is denied with capability_not_found

  @CHP-GATE-03 @live @todo
  Scenario: An invocation of a disabled capability is skipped with execution_skipped and capability_disabled

  @CHP-GATE-04 @live @todo
  Scenario: An invocation in a mode that the capability does not list is denied with unsupported_mode

  @CHP-GATE-05 @live @todo
  Scenario: The first gate that holds decides, and nothing after it happens

  @CHP-GATE-06 @live @todo
  Scenario: An invariant that the host enforces and the payload breaks is denied with invariant_failed and its id

  @CHP-GATE-07 @live @todo
  Scenario: An invocation beyond the limit of actions is denied with budget_exceeded

  @CHP-GATE-08 @live @todo
  Scenario: A payload that breaks the declared input schema is denied with input_schema_validation_failed

  @CHP-GATE-09 @live @todo
  Scenario: The event of such a denial names schema and path

  @CHP-GATE-10 @live @todo
  Scenario: An invocation that passes all gates leaves execution_started and then its end

  @CHP-GATE-11 @live @todo
  Scenario: A result that breaks the declared output schema is denied in strict mode, and marked otherwise

  @CHP-GATE-12 @live @todo
  Scenario: The event of such a denial names schema and path

  @CHP-GATE-13 @live @todo
  Scenario: A processed invocation leaves evidence

  @CHP-GATE-14 @live @todo
  Scenario: An invocation of a capability that requires approval is denied with approval_required
