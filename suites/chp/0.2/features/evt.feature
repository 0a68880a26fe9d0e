Feature: Governance events

  @CHP-EVT-01 @live
  Scenario: approval_requested comes before the denial with approval_required
    Then approval_requested comes before the denial with approval_required

  @CHP-EVT-03 @live
  Scenario: budget_exceeded comes before the denial with this code
    Then budget_exceeded comes before the denial with budget_exceeded

  @CHP-EVT-04 @live
  Scenario: A host with a safety evaluator records an assessment, begun and completed, for every governed invocation
    Then each execution is assessed if any is

  @CHP-EVT-05 @live
  Scenario: An assessment that permits is followed by safety_action_approved
    Then each assessment that permits is followed by safety_action_approved

  @CHP-EVT-06 @live
  Scenario: A guardrail that blocks leaves its two events, and denies with safety_blocked
    Then a guardrail that blocks leaves its events and denies

  @CHP-EVT-07 @live
  Scenario: A completed assessment has level, score and approved
    Then each completed assessment has level, score and approved

  @CHP-EVT-09 @live
  Scenario: A capability emits only what it declares, core events and names under a reversed domain
    Then each event of a capability is declared

  @CHP-EVT-11 @live
  Scenario: Events about the host itself have the correlation of its identity
    Then each event about the host has the correlation of its identity
