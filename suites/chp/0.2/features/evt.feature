Feature: Governance events

  @CHP-EVT-01 @live @todo
  Scenario: approval_requested comes before the denial with approval_required

  @CHP-EVT-03 @live @todo
  Scenario: budget_exceeded comes before the denial with this code

  @CHP-EVT-04 @live @todo
  Scenario: A host with a safety evaluator records an assessment, begun and completed, for every governed invocation

  @CHP-EVT-05 @live @todo
  Scenario: An assessment that permits is followed by safety_action_approved

  @CHP-EVT-06 @live @todo
  Scenario: A guardrail that blocks leaves its two events, and denies with safety_blocked

  @CHP-EVT-07 @live @todo
  Scenario: A completed assessment has level, score and approved

  @CHP-EVT-09 @live @todo
  Scenario: A capability emits only what it declares, core events and names under a reversed domain

  @CHP-EVT-11 @live @todo
  Scenario: Events about the host itself have the correlation of its identity
