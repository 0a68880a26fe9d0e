Feature: Transports

  @MCP-TRANS-01 @todo
  Scenario: A server encodes its messages in UTF-8
