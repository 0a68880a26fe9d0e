Feature: Capability Manifest

  What a source says of a capability: ten members, any others free.

  @CAP-MAN-01
  Scenario: Each member has its type
    Then each member of each manifest has the type of the text

  @CAP-MAN-02
  Scenario: The input schema is present
    Then the input schema of each manifest is present and is a JSON Schema

  @CAP-MAN-03
  Scenario: An output schema is declared
    Then each manifest declares an output schema

  @CAP-MAN-04 @when:skills
  Scenario: A skill declares what its Skills system has
    Then each skill has the members that its source supports

  @CAP-MAN-06
  Scenario: Nobody needs to read a custom member
    Then some capability came back ok
    And no invocation is refused for want of what only a custom member announces
