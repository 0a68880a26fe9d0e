Feature: FR-SDK-2, capability invocation engine

  The engine runs capabilities by id, and refuses calls that are not permitted.

  @ACD-SDK2-01
  Scenario: Capabilities run by their id
    Then capabilities run in each mode that they declare

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
    Then each call of what is disabled is refused

  @ACD-SDK2-06
  Scenario: Unknown ids are not executed
    Then each call of an id that nobody has is refused

  @ACD-SDK2-07
  Scenario: A permission granted by default counts
    Then what is granted by default needs no permission
