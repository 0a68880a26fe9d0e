Feature: Logging

  @MCP-LOG-01
  Scenario: A server that sends log messages declares the capability logging
    Then each log message needs the capability logging

  @MCP-LOG-02 @when:logging
  Scenario: The level of a log message is one of the eight levels of syslog
    Then the level of each log message is one of the eight levels

  @MCP-LOG-03 @when:logging
  Scenario: A server sends no log message below the level that the request states
    Then no log message is below the level of its request

  @MCP-LOG-05 @when:logging
  Scenario: A server answers an invalid level with -32602
    Then each call for unknown-levels is refused with the number -32602

  @MCP-LOG-15
  Scenario: A server sends no log message for a request that states no level
    Then no log message arrives before a request states a level

  @MCP-LOG-17 @when:streamable-http
  Scenario: Log messages are on the stream of the request that states the level
    Then no log message is on the stream of a request that states no level
