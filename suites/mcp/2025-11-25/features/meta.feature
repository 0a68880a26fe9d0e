@when:revision
Feature: Metadata

  @MCP-META-02
  Scenario: The prefix of a key in _meta consists of labels separated by dots, and ends with a slash
    Then the prefix of each key of _meta consists of labels

  @MCP-META-03
  Scenario: Each label of a prefix in _meta has letters, digits and inner hyphens, and begins with a letter
    Then each label of a key of _meta is well-formed

  @MCP-META-05
  Scenario: The name of a key in _meta is empty or begins and ends with a letter or digit
    Then the name of each key of _meta is well-formed
