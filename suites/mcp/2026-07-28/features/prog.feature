Feature: Progress

  @MCP-PROG-04
  Scenario: A progress notification has the token of the request
    Then each progress notification has progressToken, a token

  @MCP-PROG-05
  Scenario: A progress notification has the progress so far, a number
    Then each progress notification has progress, a number

  @MCP-PROG-06
  Scenario: The progress of a request increases with each notification
    Then the progress of each request increases

  @MCP-PROG-09
  Scenario: A progress notification names a token that a request of the client has
    Then each progress notification names the token of a request

  @MCP-PROG-10
  Scenario: A server sends no progress after the request has ended
    Then no progress arrives after the response
