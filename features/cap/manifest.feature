Feature: Capability Manifest

  A manifest describes a capability. The text defines ten members; a source
  may add others.

  @CAP-MAN-01
  Scenario: Each member has its type
    Then each member of each manifest has its printed type

  @CAP-MAN-02
  Scenario: The input schema is present
    Then the input schema of each manifest is present and is a JSON Schema

  @CAP-MAN-03
  Scenario: An output schema is declared
    Then each manifest declares an output schema

  @CAP-MAN-04 @when:skills
  Scenario: A skill has the members that its Skills system supports
    Then each skill has the members that its Skills system supports

  @CAP-MAN-06
  Scenario: A capability can be used without reading a custom member
    Then some invocation succeeded
    And no invocation is refused because it lacks a value that only a custom member announces
