@when:revision
Feature: Lifecycle

  @MCP-LIFE-03
  Scenario: A server answers initialize with its protocol version, its capabilities and its implementation
    Then the answer to each initialize has protocolVersion
    And the answer to each initialize has capabilities
    And the answer to each initialize has serverInfo

  @MCP-LIFE-09
  Scenario: A server that supports the proposed version answers with the same version
    Then a version that the server offers is accepted when it is proposed

  @MCP-LIFE-10
  Scenario: A server that does not support the proposed version answers with a version that it supports
    Then an unknown version is answered by one that the server supports

  @MCP-LIFE-11
  Scenario: The version with which a server answers an unknown version is its latest
    Then an unknown version is answered by the latest

  @MCP-LIFE-14
  Scenario: A server uses only capabilities that were negotiated
    Then the server requests nothing but what the client can
    And a notification of tools by notifications/tools/list_changed needs the capability
    And a notification of prompts by notifications/prompts/list_changed needs the capability
    And a notification of resources by notifications/resources/list_changed needs the capability
    And a notification of resources by notifications/resources/updated needs the capability

  @MCP-LIFE-06
  Scenario: A server sends no request before the initialization is confirmed
    Then a server requests nothing but ping before the initialization is confirmed
