Feature: Completion

  @MCP-COMP-01
  Scenario: A server that supports completion declares the capability completions
    Then a server that completes declares the capability completions

  @MCP-COMP-02 @when:completions
  Scenario: A completion has at most 100 values
    Then each completion has at most 100 values

  @MCP-COMP-03 @when:completions
  Scenario: The result of completion/complete has a completion
    Then the result of each completion has values

  @MCP-COMP-04 @when:no-completions
  Scenario: A server without completion answers completion/complete with -32601
    Then each call for completions-undeclared is refused with the number -32601

  @MCP-COMP-05 @when:completions
  Scenario: A server answers a completion for an unknown prompt with -32602
    Then each call for completions-of-unknown is refused with the number -32602

  @MCP-COMP-06 @when:completions
  Scenario: A server answers a completion without argument with -32602
    Then each call for completions-of-nothing is refused with the number -32602
