Feature: Message patterns

  @MCP-PAT-01
  Scenario: A server sends no requests
    Then the server sends no request
