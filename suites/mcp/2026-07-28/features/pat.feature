Feature: Message patterns

  @MCP-PAT-01 @todo
  Scenario: A server sends no requests
