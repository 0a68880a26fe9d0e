Feature: Error codes

  @MCP-ERR-02 @todo
  Scenario: A server does not use codes from -32000 to -32019

  @MCP-ERR-04 @todo
  Scenario: A server uses codes from -32020 to -32099 only if the protocol defines them, and with their meaning

  @MCP-ERR-05 @todo
  Scenario: A server does not use the codes -32002 and -32042 of earlier revisions

  @MCP-ERR-07 @todo
  Scenario: A code that neither JSON-RPC nor the protocol defines is outside the range from -32768 to -32000
