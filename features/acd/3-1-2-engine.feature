Feature: FR-SDK-2, capability invocation engine

  The engine runs capabilities by id, and refuses calls that are not permitted.

  @ACD-SDK2-01 @each-capability
  Scenario: Capabilities run by their id
    Then each capability runs in each mode that it declares

  @ACD-SDK2-02
  Scenario: Permissions are required
    Then each call by a caller who lacks a required permission is refused

  @ACD-SDK2-03 @with:execlog
  Scenario: Calls are routed by substrate
    Then each call runs once, on its substrate

  @ACD-SDK2-04
  Scenario: Modes are enforced
    Then each call in a mode that is not listed is refused

  @ACD-SDK2-05
  Scenario: Disabled capabilities are not executed
    Then each call of a disabled capability is refused

  @ACD-SDK2-06
  Scenario: Unknown ids are not executed
    Then each call of an unknown id is refused

  @ACD-SDK2-07
  Scenario: A permission granted by default counts
    Then each capability with granted_by_default accepts callers without permissions
