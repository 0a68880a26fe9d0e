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

  @CAP-FC-01 @exclusive
  Scenario: References are stable
    When the capabilities are listed again
    Then the same capabilities bear the same references

  @CAP-FC-01 @with:restart @exclusive
  Scenario: References survive a restart
    When the source is restarted and lists its capabilities
    Then the same capabilities bear the same references
