Feature: Cancellation

  @MCP-CANC-05 @todo
  Scenario: A server sends no response to a cancelled request

  @MCP-CANC-08 @todo
  Scenario: A server continues to work when a cancellation arrives after the response

  @MCP-CANC-11 @todo
  Scenario: A server ignores a cancellation of an unknown request

  @MCP-CANC-12 @todo
  Scenario: A server ignores a cancellation of an answered request

  @MCP-CANC-13 @todo
  Scenario: A server ignores a malformed cancellation

  @MCP-CANC-16 @todo
  Scenario: A server sends notifications/cancelled only for a subscription

  @MCP-CANC-21 @todo
  Scenario: A server sends no message for a cancelled request
