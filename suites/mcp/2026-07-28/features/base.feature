Feature: Base protocol

  @MCP-BASE-01
  Scenario: A server supports the base protocol, versioning and the message patterns
    Then a request is answered in the session

  @MCP-BASE-03
  Scenario: A server sends only JSON-RPC 2.0 messages
    Then each message is one of JSON-RPC 2.0
    And no message is anything else than a response, a request or a notification

  @MCP-BASE-07
  Scenario: A server answers a request with the id of the request
    Then a response arrives for each request
    And each response with result repeats the id of its request

  @MCP-BASE-08
  Scenario: A result response has a result
    Then each result is an object

  @MCP-BASE-10
  Scenario: An error response has the id of the request
    Then each response with error repeats the id of its request

  @MCP-BASE-11
  Scenario: An error response has an error with a code and a message
    Then each error has a code and a message

  @MCP-BASE-12
  Scenario: The code of an error is an integer
    Then the code of each error is an integer

  @MCP-BASE-13
  Scenario: A server does not answer a notification
    Then no notification is answered

  @MCP-BASE-14
  Scenario: A notification that a server sends has no id
    Then no notification of the server has an id

  @MCP-BASE-16
  Scenario: A result has resultType
    Then each result has resultType
    And each result in a message has resultType

  @MCP-BASE-17
  Scenario: The type of a result is one of the core protocol or of an extension that the server declares
    Then each resultType is known
