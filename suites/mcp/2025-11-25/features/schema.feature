@when:revision
Feature: JSON Schema

  @MCP-SCHEMA-04
  Scenario: The schemas of a server are written in JSON Schema 2020-12
    Then each schema is in the dialect 2020-12

  @MCP-SCHEMA-07
  Scenario: A schema that a server publishes is valid in its dialect
    Then the inputSchema of each tool is a JSON Schema of its dialect

  @MCP-SCHEMA-12
  Scenario: A result has the members and the types of the schema
    Then each result has the members of its type
