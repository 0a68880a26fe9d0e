Feature: Base protocol

  @MCP-BASE-01 @todo
  Scenario: A server supports the base protocol, versioning and the message patterns

  @MCP-BASE-03 @todo
  Scenario: A server sends only JSON-RPC 2.0 messages

  @MCP-BASE-07 @todo
  Scenario: A server answers a request with the id of the request

  @MCP-BASE-08 @todo
  Scenario: A result response has a result

  @MCP-BASE-10 @todo
  Scenario: An error response has the id of the request

  @MCP-BASE-11 @todo
  Scenario: An error response has an error with a code and a message

  @MCP-BASE-12 @todo
  Scenario: The code of an error is an integer

  @MCP-BASE-13 @todo
  Scenario: A server does not answer a notification

  @MCP-BASE-14 @todo
  Scenario: A notification that a server sends has no id

  @MCP-BASE-16 @todo
  Scenario: A result has resultType

  @MCP-BASE-17 @todo
  Scenario: The type of a result is one of the core protocol or of an extension that the server declares
