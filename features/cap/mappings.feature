Feature: Reference Mappings

  Capabilities look the same to upper layers, whatever the transport and the
  system that they come from.

  @CAP-MCP-03
  Scenario: The transport is hidden
    Then no manifest and no result contains transport details

  @CAP-MCP-01 @with:attach
  Scenario: The tools of an attached server are capabilities
    Then each tool of an attached server is listed and described with its own input schema
    And each invocation of an attached tool calls that tool
    And no attached tool is called without an invocation

  @CAP-MCP-03 @with:attach
  Scenario: The transport to an attached server is hidden
    Then no manifest and no result contains transport details of the attached server

  @CAP-SK-01 @with:attach
  Scenario: Attached skills are capabilities
    Then each attached skill is listed with its instructions, resources and permissions
    And each attached skill can be invoked

  @CAP-FC-01
  Scenario: References are stable
    Then each capability keeps its reference

  @CAP-FC-01 @with:restart
  Scenario: References survive a restart
    Then each capability keeps its reference after a restart
