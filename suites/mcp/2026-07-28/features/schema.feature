Feature: JSON Schema

  @MCP-SCHEMA-04 @todo
  Scenario: The schemas of a server are written in JSON Schema 2020-12

  @MCP-SCHEMA-07 @todo
  Scenario: A schema that a server publishes is valid in its dialect
