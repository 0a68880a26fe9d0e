Feature: Cancellation

  @MCP-CANC-08
  Scenario: A server continues to work when a cancellation arrives after the response
    Then each call for cancellations-of-answered is answered by a result

  @MCP-CANC-11
  Scenario: A server ignores a cancellation of an unknown request
    Then no notification for cancellations-of-unknown is answered
    And each call for cancellations-of-unknown is answered by a result

  @MCP-CANC-12
  Scenario: A server ignores a cancellation of an answered request
    Then no notification for cancellations-of-answered is answered
    And each call for cancellations-of-answered is answered by a result

  @MCP-CANC-13
  Scenario: A server ignores a malformed cancellation
    Then no notification for malformed-cancellations is answered
    And each call for malformed-cancellations is answered by a result

  @MCP-CANC-16
  Scenario: A server sends notifications/cancelled only for a subscription
    Then each cancellation by the server ends a subscription
