Feature: Metadata

  @MCP-META-02 @todo
  Scenario: The prefix of a key in _meta consists of labels separated by dots, and ends with a slash

  @MCP-META-03 @todo
  Scenario: Each label of a prefix in _meta has letters, digits and inner hyphens, and begins with a letter

  @MCP-META-05 @todo
  Scenario: The name of a key in _meta is empty or begins and ends with a letter or digit

  @MCP-META-08 @todo
  Scenario: A server answers a request without a required field of the metadata with -32602

  @MCP-META-09 @todo
  Scenario: A server answers a request without a required field of the metadata with status 400

  @MCP-META-12 @todo
  Scenario: A server answers a request that needs an undeclared capability with -32021 and the missing capabilities

  @MCP-META-13 @todo
  Scenario: A server answers a request that needs an undeclared capability with status 400

  @MCP-META-14 @todo
  Scenario: A server states its name and version in the metadata of each result

  @MCP-META-17 @todo
  Scenario: A notification of a subscription has the id of the subscription in its metadata

  @MCP-META-18 @todo
  Scenario: Trace context in the metadata has the format of W3C
