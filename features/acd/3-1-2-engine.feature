Feature: FR-SDK-2, capability invocation engine

  The engine runs capabilities by id, and refuses what may not run.

  @ACD-SDK2-01
  Scenario: Capabilities run by their id
    Given the registry shows its entries
    Then capabilities run in each mode that they declare

  @ACD-SDK2-02
  Scenario: Permissions are needed
    Given a capability runs
    Then a caller who lacks a required permission is refused

  @ACD-SDK2-03 @with:execlog
  Scenario: Calls are routed by substrate
    Given a capability runs
    Then each call runs on its substrate

  @ACD-SDK2-04
  Scenario: Modes are enforced
    Given a capability runs
    Then calls in other modes are refused

  @ACD-SDK2-05
  Scenario: What is disabled does not run
    Given a capability runs
    Then a disabled capability is refused

  @ACD-SDK2-06
  Scenario: Unknown ids do not run
    Given a capability runs
    Then an unknown id is refused

  @ACD-SDK2-07
  Scenario: What is granted is granted
    Given a capability runs
    Then what is granted by default needs no permission
