Feature: Streamable HTTP

  @MCP-HTTP-60 @when:streamable-http
  Scenario: The endpoint supports POST
    Then the endpoint supports POST

  @MCP-HTTP-03 @when:streamable-http
  Scenario: A server validates the Origin
    Then no request with a foreign Origin is accepted

  @MCP-HTTP-04 @when:streamable-http
  Scenario: A server refuses an invalid Origin with status 403
    Then a request with a foreign Origin is refused with status 403

  @MCP-HTTP-10 @when:streamable-http
  Scenario: A server that accepts a notification returns status 202 without a body
    Then a message that is accepted is answered by 202 without a body

  @MCP-HTTP-11 @when:streamable-http
  Scenario: A server that does not accept a notification returns an HTTP error status
    Then a message that is not accepted is answered by an HTTP error

  @MCP-HTTP-12 @when:streamable-http
  Scenario: A request is answered by an event stream or by one JSON object
    Then a request that is accepted is answered by an event stream or by one JSON object

  @MCP-HTTP-21 @when:streamable-http
  Scenario: Messages on the stream of a request relate to it
    Then no progress of another request is on the stream of a request

  @MCP-HTTP-23 @when:streamable-http
  Scenario: A server ends an event stream after the response
    Then an event stream ends after the response

  @MCP-HTTP-63 @when:streamable-http
  Scenario: A server tells proxies not to buffer an event stream
    Then an event stream tells proxies not to buffer it

  @MCP-HTTP-59 @when:streamable-http
  Scenario: A server refuses an unknown protocol version with status 400
    Then a request with an unknown protocol version is refused with status 400

  @MCP-HTTP-65 @when:streamable-http
  Scenario: A server answers an unknown method with status 404 and the code -32601
    Then an unknown method is refused with status 404 and the code -32601

  @MCP-HTTP-67 @when:streamable-http @when:modern-alone
  Scenario: A server of this revision alone answers GET and DELETE with status 405
    Then a request with GET is refused with status 405
    And a request with DELETE is refused with status 405

  @MCP-HTTP-68 @when:streamable-http @when:modern-alone
  Scenario: A server of this revision alone ignores session ids and returns none
    Then the header Mcp-Session-Id is ignored
    And no answer names a session

  @MCP-HTTP-69 @when:streamable-http @when:modern-alone
  Scenario: A server of this revision alone ignores Last-Event-ID
    Then the header Last-Event-Id is ignored

  @MCP-META-09 @when:streamable-http
  Scenario: A server answers a request without a required field of the metadata with status 400
    Then each error to incomplete-metadata has status 400

  @MCP-META-13 @when:streamable-http
  Scenario: A server answers a request that needs an undeclared capability with status 400
    Then each error to undeclared-capabilities has status 400
