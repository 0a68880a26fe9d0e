Feature: Subscriptions

  @MCP-SUB-01 @todo
  Scenario: A server sends only the types of notifications that the client requested

  @MCP-SUB-02 @todo
  Scenario: The first message of a subscription is its acknowledgment

  @MCP-SUB-04 @todo
  Scenario: The acknowledgment lists only types that the client requested

  @MCP-SUB-05 @todo
  Scenario: The id of a subscription is the id of its request
