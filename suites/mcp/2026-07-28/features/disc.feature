Feature: Discovery

  @MCP-DISC-01
  Scenario: A server implements server/discover
    Then each call for discoveries-at-once is answered by a result

  @MCP-DISC-02
  Scenario: The result of server/discover has the supported versions
    Then the answer to each discovery has supportedVersions
    And the supported versions contain that of the request

  @MCP-DISC-03
  Scenario: The result of server/discover has the capabilities
    Then the answer to each discovery has capabilities
