Feature: Discovery

  @MCP-DISC-01 @todo
  Scenario: A server implements server/discover

  @MCP-DISC-02 @todo
  Scenario: The result of server/discover has the supported versions

  @MCP-DISC-03 @todo
  Scenario: The result of server/discover has the capabilities
