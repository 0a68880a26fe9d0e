Feature: Streamable HTTP

  @MCP-HTTP-03 @todo
  Scenario: A server validates the Origin of each connection

  @MCP-HTTP-04 @todo
  Scenario: A server answers a request with an invalid Origin with status 403

  @MCP-HTTP-10 @todo
  Scenario: A server that accepts a notification returns status 202 without a body

  @MCP-HTTP-11 @todo
  Scenario: A server that does not accept a notification returns an HTTP error status

  @MCP-HTTP-12 @todo
  Scenario: A server answers a request with an event stream or with one JSON object

  @MCP-HTTP-21 @todo
  Scenario: Messages before the response relate to the request of the stream

  @MCP-HTTP-23 @todo
  Scenario: A server ends an event stream after the response

  @MCP-HTTP-59 @todo
  Scenario: A server answers a request with an invalid or unsupported protocol version with status 400

  @MCP-HTTP-60 @todo
  Scenario: A server has one endpoint that supports POST

  @MCP-HTTP-63 @todo
  Scenario: A server that opens an event stream sends X-Accel-Buffering no

  @MCP-HTTP-65 @todo
  Scenario: A server answers an unknown method with status 404 and the code -32601

  @MCP-HTTP-67 @todo
  Scenario: A server of this revision only answers GET and DELETE with status 405

  @MCP-HTTP-68 @todo
  Scenario: A server of this revision only ignores session ids and returns none

  @MCP-HTTP-69 @todo
  Scenario: A server of this revision only ignores Last-Event-ID
