Feature: Transports

  @MCP-TRANS-01
  Scenario: A server encodes its messages in UTF-8
    Then each message is in UTF-8
