Feature: Subscriptions

  @MCP-SUB-01
  Scenario: A server sends only the types of notifications that the client requested
    Then each notification of a change was requested

  @MCP-SUB-02
  Scenario: The first message of a subscription is its acknowledgment
    Then the first message of each subscription is its acknowledgment

  @MCP-SUB-04
  Scenario: The acknowledgment lists only types that the client requested
    Then each acknowledgment lists only what was requested

  @MCP-SUB-05
  Scenario: The id of a subscription is the id of its request
    Then each id of a subscription is that of its request
