Feature: Reference Mappings

  However a source is reached, its capabilities look the same from above.

  @CAP-MCP-03
  Scenario: The transport is hidden
    When the capabilities are listed and each is described
    And each capability is invoked with sound inputs
    Then nothing of the transport shows in a manifest or a result

  @CAP-MCP-03 @exclusive
  Scenario: The transport shows in nothing that was answered
    When everything that was invoked so far is looked at
    Then nothing of the transport shows in a manifest or a result

  @CAP-MCP-01 @with:attach @exclusive
  Scenario: The tools of an attached server are capabilities
    When a server of tools is attached
    Then each of its tools is listed and described with its own input schema
    And each invocation of an attached tool is a call of that tool
    And no attached tool is called without an invocation

  @CAP-MCP-03 @with:attach @exclusive
  Scenario: The way to an attached server is hidden
    When a server of tools is attached
    Then nothing of the way to the attached server shows

  @CAP-SK-01 @with:attach @exclusive
  Scenario: Attached skills are capabilities
    When a folder of skills is attached
    Then each of its skills is listed with its instructions, resources and permissions
    And each attached skill is invoked as any other

  @CAP-FC-01 @exclusive
  Scenario: References are stable
    When the capabilities are listed again
    Then the same capabilities bear the same references

  @CAP-FC-01 @with:restart @exclusive
  Scenario: References survive a restart
    When the source is restarted and lists its capabilities
    Then the same capabilities bear the same references
