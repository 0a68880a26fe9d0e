Feature: Headers of requests

  @MCP-HEAD-01 @todo
  Scenario: A server rejects a request whose header and metadata state different versions

  @MCP-HEAD-02 @todo
  Scenario: A server rejects a request without the header of the version

  @MCP-HEAD-03 @todo
  Scenario: A server rejects a request without Mcp-Method or without a needed Mcp-Name

  @MCP-HEAD-04 @todo
  Scenario: A server rejects a request whose headers differ from its body

  @MCP-HEAD-05 @todo
  Scenario: A server rejects a request for its headers with status 400 and the code -32020

  @MCP-HEAD-09 @todo
  Scenario: An x-mcp-header is not empty

  @MCP-HEAD-10 @todo
  Scenario: An x-mcp-header is a token of HTTP

  @MCP-HEAD-11 @todo
  Scenario: The values of x-mcp-header in a schema differ, without regard to case

  @MCP-HEAD-12 @todo
  Scenario: An x-mcp-header is only on an integer, a string or a boolean

  @MCP-HEAD-14 @todo
  Scenario: An x-mcp-header is only on a property that is reached from the root through properties alone

  @MCP-HEAD-19 @todo
  Scenario: A server decodes a header in base64 before it compares it

  @MCP-HEAD-23 @todo
  Scenario: A server rejects a parameter in a header with invalid characters

  @MCP-HEAD-24 @todo
  Scenario: A server rejects a call whose marked parameter differs from its header

  @MCP-HEAD-25 @todo
  Scenario: A server accepts a call without the header of a parameter that is null or absent

  @MCP-HEAD-26 @todo
  Scenario: A server rejects a call without the header of a parameter that has a value

  @MCP-HEAD-27 @todo
  Scenario: The names of headers are compared without regard to case

  @MCP-HEAD-28 @todo
  Scenario: A server compares integers in headers by their value
