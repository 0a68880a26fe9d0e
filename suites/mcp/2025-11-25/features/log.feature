@when:revision
Feature: Logging

  @MCP-LOG-01
  Scenario: A server that sends log messages declares the capability logging
    Then each log message needs the capability logging

  @MCP-LOG-02 @when:logging
  Scenario: The level of a log message is one of the eight levels of syslog
    Then the level of each log message is one of the eight levels

  @MCP-LOG-03 @when:logging
  Scenario: A server sends no log message below the level that the client set
    Then no log message is below the level that was set

  @MCP-LOG-05 @when:logging
  Scenario: A server answers an invalid level with -32602
    Then each call for unknown-levels is refused with the number -32602
