Feature: Logging

  @MCP-LOG-01 @todo
  Scenario: A server that sends log messages declares the capability logging

  @MCP-LOG-02 @todo
  Scenario: The level of a log message is one of the eight levels of syslog

  @MCP-LOG-03 @todo
  Scenario: A server sends no log message below the level that the request states

  @MCP-LOG-05 @todo
  Scenario: A server answers an invalid level with -32602

  @MCP-LOG-15 @todo
  Scenario: A server sends no log message for a request that states no level

  @MCP-LOG-17 @todo
  Scenario: A server sends log messages only on the stream of the request that states the level
