@when:revision
Feature: Streamable HTTP

  @MCP-HTTP-10 @when:streamable-http
  Scenario: A server that accepts a notification or a response returns status 202 without a body
    Then a message that is accepted is answered by 202 without a body

  @MCP-HTTP-11 @when:streamable-http
  Scenario: A server that does not accept a notification or a response returns an HTTP error status
    Then a message that is not accepted is answered by an HTTP error

  @MCP-HTTP-33 @when:streamable-http
  Scenario: A server sends no response on the stream of a GET that resumes nothing
    Then no response is on the stream of a GET
