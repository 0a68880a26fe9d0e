Feature: Resources

  @MCP-RES-01 @todo
  Scenario: A server that supports resources declares the capability resources

  @MCP-RES-02 @todo
  Scenario: A server that declares listChanged for resources reports a change of the list

  @MCP-RES-03 @todo
  Scenario: A resource has a URI that no other resource has

  @MCP-RES-04 @todo
  Scenario: A resource has a name

  @MCP-RES-05 @todo
  Scenario: A resource template has a URI template

  @MCP-RES-06 @todo
  Scenario: The contents of a resource are text or a blob

  @MCP-RES-08 @todo
  Scenario: The audience of an annotation is a list of user and assistant

  @MCP-RES-09 @todo
  Scenario: The priority of an annotation is a number from 0 to 1

  @MCP-RES-10 @todo
  Scenario: The lastModified of an annotation is a timestamp in ISO 8601

  @MCP-RES-14 @todo
  Scenario: A custom URI scheme complies with RFC 3986

  @MCP-RES-16 @todo
  Scenario: A server validates the URI of a read

  @MCP-RES-18 @todo
  Scenario: A blob is encoded in base64

  @MCP-RES-19 @todo
  Scenario: A server that declares resources answers resources/list

  @MCP-RES-21 @todo
  Scenario: A server answers a read of an unknown resource with -32602

  @MCP-RES-22 @todo
  Scenario: A server does not return empty contents for an unknown resource
