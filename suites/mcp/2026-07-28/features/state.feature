Feature: Statelessness

  @MCP-STATE-01
  Scenario: A server answers the first request on a connection
    Then each request for first-discoveries is answered by a result on a further connection
    And each request for first-requests is answered by a result on a further connection

  @MCP-STATE-03
  Scenario: A server does not require the connection on which something was listed
    Then each request for tools-apart is answered by a result on a further connection
    And each request for prompts-apart is answered by a result on a further connection
    And each request for reads-apart is answered by a result on a further connection

  @MCP-STATE-06
  Scenario: The lists of a server do not vary with the connection
    Then a list of tools by tools/list is the same on another connection
    And a list of resources by resources/list is the same on another connection
    And a list of prompts by prompts/list is the same on another connection
