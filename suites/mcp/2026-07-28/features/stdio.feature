Feature: stdio

  @MCP-STDIO-01 @todo
  Scenario: A message on stdio contains no line break

  @MCP-STDIO-04 @todo
  Scenario: A server writes only messages to standard output

  @MCP-STDIO-07 @todo
  Scenario: A server exits soon after its standard input was closed
