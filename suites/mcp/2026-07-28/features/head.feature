Feature: Headers

  @MCP-HEAD-01 @when:streamable-http
  Scenario: A server rejects a request whose header and metadata state different versions
    Then a request with two versions is rejected

  @MCP-HEAD-02 @when:streamable-http
  Scenario: A server rejects a request without the header of the version
    Then a request without the header of the version is rejected

  @MCP-HEAD-03 @when:streamable-http
  Scenario: A server rejects a request without Mcp-Method or without a needed Mcp-Name
    Then a request whose headers are missing is rejected

  @MCP-HEAD-04 @when:streamable-http
  Scenario: A server rejects a request whose headers differ from its body
    Then a request whose headers are different is rejected

  @MCP-HEAD-05 @when:streamable-http
  Scenario: A server rejects a request for its headers with status 400 and the code -32020
    Then a request that is rejected for its headers has status 400 and the code -32020

  @MCP-HEAD-09 @when:tools
  Scenario: An x-mcp-header is not empty
    Then the header-name of each tool is kept in its inputSchema

  @MCP-HEAD-10 @when:tools
  Scenario: An x-mcp-header is a token of HTTP
    Then the header-token of each tool is kept in its inputSchema

  @MCP-HEAD-11 @when:tools
  Scenario: The values of x-mcp-header in a schema differ, without regard to case
    Then no two parameters of a tool have the same x-mcp-header

  @MCP-HEAD-12 @when:tools
  Scenario: An x-mcp-header is only on an integer, a string or a boolean
    Then the header-type of each tool is kept in its inputSchema

  @MCP-HEAD-14 @when:tools
  Scenario: An x-mcp-header is only on a property that is reached from the root through properties alone
    Then the header-place of each tool is kept in its inputSchema

  @MCP-HEAD-19 @when:streamable-http
  Scenario: A server decodes a header in base64 before it compares it
    Then a request whose headers are encoded is not rejected for them

  @MCP-HEAD-23 @when:streamable-http
  Scenario: A server rejects a parameter in a header with invalid characters
    Then a request whose headers are malformed is rejected

  @MCP-HEAD-24 @when:streamable-http
  Scenario: A server rejects a call whose marked parameter differs from its header
    Then a request whose headers are parameter-different is rejected

  @MCP-HEAD-25 @when:streamable-http
  Scenario: A server accepts a call without the header of a parameter that is absent
    Then no request for absent-parameters is rejected for its headers

  @MCP-HEAD-26 @when:streamable-http
  Scenario: A server rejects a call without the header of a parameter that has a value
    Then a request whose headers are parameter-missing is rejected

  @MCP-HEAD-27 @when:streamable-http
  Scenario: The names of headers are compared without regard to case
    Then no request for names-of-headers is rejected for its headers

  @MCP-HEAD-28 @when:streamable-http
  Scenario: A server compares integers in headers by their value
    Then a request whose headers are decimal is not rejected for them
