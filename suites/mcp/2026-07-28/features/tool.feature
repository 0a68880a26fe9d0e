Feature: Tools

  @MCP-TOOL-03 @todo
  Scenario: A server that supports tools declares the capability tools

  @MCP-TOOL-04 @todo
  Scenario: A server that declares listChanged for tools reports a change of the list

  @MCP-TOOL-05 @todo
  Scenario: A tool has a name

  @MCP-TOOL-06 @todo
  Scenario: The inputSchema of a tool is a JSON Schema object

  @MCP-TOOL-07 @todo
  Scenario: The outputSchema of a tool, if present, is a JSON Schema object

  @MCP-TOOL-10 @todo
  Scenario: The name of a tool has 1 to 128 characters

  @MCP-TOOL-11 @todo
  Scenario: The names of tools are case-sensitive

  @MCP-TOOL-12 @todo
  Scenario: The name of a tool has only ASCII letters, digits, underscores, hyphens and dots

  @MCP-TOOL-13 @todo
  Scenario: The name of a tool is unique within the server

  @MCP-TOOL-14 @todo
  Scenario: The result of a tool has content, a list of blocks of the defined types

  @MCP-TOOL-17 @todo
  Scenario: A server that embeds resources declares the capability resources

  @MCP-TOOL-19 @todo
  Scenario: A result with structured content also contains it as text

  @MCP-TOOL-20 @todo
  Scenario: A tool with an outputSchema returns structured content that conforms to it

  @MCP-TOOL-22 @todo
  Scenario: A server answers a call of an unknown tool with a JSON-RPC error

  @MCP-TOOL-23 @todo
  Scenario: A server reports invalid arguments of a tool in a result with isError

  @MCP-TOOL-26 @todo
  Scenario: A server validates the inputs of tools

  @MCP-TOOL-32 @todo
  Scenario: A server that declares tools answers tools/list

  @MCP-TOOL-33 @todo
  Scenario: A server lists tools in the same order as long as they do not change
