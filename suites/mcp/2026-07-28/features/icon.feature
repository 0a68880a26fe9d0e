Feature: Icons

  @MCP-ICON-01 @todo
  Scenario: An icon has src, a URI
