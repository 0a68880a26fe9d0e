Feature: Versioning

  @MCP-VERS-04 @todo
  Scenario: A server answers an unsupported version with -32022 and the versions that it supports

  @MCP-VERS-08 @todo
  Scenario: The identifier of an extension is a key of metadata with a prefix

  @MCP-VERS-13 @todo
  Scenario: A server of this era only names its versions in the error to initialize
