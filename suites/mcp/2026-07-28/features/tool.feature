Feature: Tools

  @MCP-TOOL-03
  Scenario: A server that supports tools declares the capability tools
    Then a server that answers tools/list with tools declares tools

  @MCP-TOOL-05 @when:tools
  Scenario: A tool has a name
    Then each listed tool has its name

  @MCP-TOOL-06 @when:tools
  Scenario: The inputSchema of a tool is a JSON Schema object
    Then each listed tool has its inputSchema

  @MCP-TOOL-07 @when:tools
  Scenario: The outputSchema of a tool, if present, is a JSON Schema object
    Then each listed tool has its outputSchema

  @MCP-TOOL-10 @when:tools
  Scenario: The name of a tool has 1 to 128 characters
    Then the name of each tool has 1 to 128 characters

  @MCP-TOOL-11 @when:tools
  Scenario: The names of tools are case-sensitive
    Then each call for tools-in-capitals is refused, or its result is an error

  @MCP-TOOL-12 @when:tools
  Scenario: The name of a tool has only ASCII letters, digits, underscores, hyphens and dots
    Then the name of each tool has the permitted characters

  @MCP-TOOL-13 @when:tools
  Scenario: The name of a tool is unique within the server
    Then each listed tool has its own name

  @MCP-TOOL-14 @when:tools
  Scenario: The result of a tool has content, a list of blocks of the defined types
    Then each complete result of a tool has content

  @MCP-TOOL-17 @when:tools
  Scenario: A server that embeds resources declares the capability resources
    Then a server that embeds resources declares the capability resources

  @MCP-TOOL-19 @when:tools
  Scenario: A result with structured content also contains it as text
    Then structured content is also there as text

  @MCP-TOOL-20 @when:tools
  Scenario: A tool with an outputSchema returns structured content that conforms to it
    Then each complete result of a tool conforms to its outputSchema

  @MCP-TOOL-22 @when:tools
  Scenario: A server answers a call of an unknown tool with a JSON-RPC error
    Then no call for unknown-tools is answered by a result

  @MCP-TOOL-23 @when:tools
  Scenario: A server reports invalid arguments of a tool in a result with isError
    Then each call with invalid arguments has a result with isError

  @MCP-TOOL-26 @when:tools
  Scenario: A server validates the inputs of tools
    Then no tool accepts a call without a required argument

  @MCP-TOOL-32 @when:tools
  Scenario: A server that declares tools answers tools/list
    Then a server that declares tools answers tools/list

  @MCP-TOOL-33 @when:tools
  Scenario: A server lists tools in the same order as long as they do not change
    Then two lists of the same tools have the same order

  @MCP-TOOL-04 @when:stdio @when:tools-list-changed
  Scenario: A server that declares listChanged for tools reports a change of the list
    Then a change of tools in tools/list is reported by notifications/tools/list_changed
