Feature: Icons

  @MCP-ICON-01
  Scenario: An icon has src, a URI
    Then each icon has src
