Feature: Progress

  @MCP-PROG-04 @todo
  Scenario: A progress notification has the token of the request

  @MCP-PROG-05 @todo
  Scenario: A progress notification has the progress so far, a number

  @MCP-PROG-06 @todo
  Scenario: The progress of a request increases with each notification

  @MCP-PROG-09 @todo
  Scenario: A progress notification names a token that a request of the client has

  @MCP-PROG-10 @todo
  Scenario: A server sends no progress after the request has ended
