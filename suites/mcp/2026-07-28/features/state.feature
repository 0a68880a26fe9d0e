Feature: Statelessness

  @MCP-STATE-01 @todo
  Scenario: A server does not rely on earlier requests of the connection

  @MCP-STATE-03 @todo
  Scenario: A server does not require the same connection or process for related operations

  @MCP-STATE-06 @todo
  Scenario: The lists of a server do not vary per connection or by other requests on the connection
