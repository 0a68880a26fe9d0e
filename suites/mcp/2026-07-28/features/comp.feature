Feature: Completion

  @MCP-COMP-01 @todo
  Scenario: A server that supports completion declares the capability completions

  @MCP-COMP-02 @todo
  Scenario: A completion has at most 100 values

  @MCP-COMP-03 @todo
  Scenario: The result of completion/complete has a completion

  @MCP-COMP-04 @todo
  Scenario: A server without completion answers completion/complete with -32601

  @MCP-COMP-05 @todo
  Scenario: A server answers a completion for an unknown prompt with -32602

  @MCP-COMP-06 @todo
  Scenario: A server answers a completion without argument with -32602
