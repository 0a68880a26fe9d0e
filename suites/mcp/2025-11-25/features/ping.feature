@when:revision
Feature: Ping

  @MCP-PING-01
  Scenario: A server answers ping with an empty result
    Then each ping is answered by an empty result
