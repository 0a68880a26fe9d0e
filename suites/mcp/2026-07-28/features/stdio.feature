Feature: stdio

  @MCP-STDIO-01 @when:stdio
  Scenario: A message on stdio contains no line break
    Then no message continues on a second line

  @MCP-STDIO-04 @when:stdio
  Scenario: A server writes only messages to standard output
    Then standard output has only messages
