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

  @MCP-HTTP-02 @when:streamable-http
  Scenario: The endpoint supports GET
    Then a GET is supported

  @MCP-HTTP-03 @when:streamable-http
  Scenario: A server validates the Origin
    Then no request with a foreign Origin is accepted

  @MCP-HTTP-04 @when:streamable-http
  Scenario: A server refuses an invalid Origin with status 403
    Then a request with a foreign Origin is refused with status 403

  @MCP-HTTP-12 @when:streamable-http
  Scenario: A request is answered by an event stream or by one JSON object
    Then a request that is accepted is answered by an event stream or by one JSON object

  @MCP-HTTP-14 @when:streamable-http
  Scenario: An event stream begins with an event that has an id and no data
    Then an event stream begins with an event that has an id and no data

  @MCP-HTTP-17 @when:streamable-http
  Scenario: A server that closes a connection before the response states when to resume
    Then an event stream that ends before the response states when to resume it

  @MCP-HTTP-19 @when:streamable-http
  Scenario: The event stream in answer to a request contains the response
    Then an event stream contains the response

  @MCP-HTTP-21 @when:streamable-http
  Scenario: Messages on the stream of a request relate to it
    Then no progress of another request is on the stream of a request

  @MCP-HTTP-23 @when:streamable-http
  Scenario: A server ends an event stream after the response
    Then an event stream ends after the response

  @MCP-HTTP-30 @when:streamable-http
  Scenario: A GET is answered by an event stream or by status 405
    Then a GET is answered by an event stream or by status 405

  @MCP-HTTP-32 @when:streamable-http
  Scenario: Messages on the stream of a GET relate to no request
    Then no progress is on the stream of a GET

  @MCP-HTTP-38 @when:streamable-http
  Scenario: A server sends each message on one stream
    Then no message is on two streams

  @MCP-HTTP-41 @when:streamable-http
  Scenario: The ids of events are unique in a session
    Then no two streams have an event with the same id
    And no two events of a stream have the same id

  @MCP-HTTP-45 @when:streamable-http
  Scenario: A stream that is resumed has no messages of another
    Then no response of another stream is on a stream that is resumed

  @MCP-HTTP-47 @when:streamable-http
  Scenario: The ids of sessions are unique
    Then no two sessions have the same id

  @MCP-HTTP-48 @when:streamable-http
  Scenario: The id of a session has visible ASCII characters only
    Then the id of each session has visible ASCII characters only

  @MCP-HTTP-51 @when:streamable-http
  Scenario: A server that needs the id of a session refuses requests without it
    Then a request without the id of a session that is needed is refused with status 400

  @MCP-HTTP-53 @when:streamable-http
  Scenario: A server answers a request of an ended session with status 404
    Then a request of a session that was ended is refused with status 404

  @MCP-HTTP-59 @when:streamable-http
  Scenario: A server refuses an unknown protocol version with status 400
    Then a request with an unknown protocol version is refused with status 400
