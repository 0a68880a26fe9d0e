Feature: Versioning

  @MCP-VERS-04
  Scenario: A server answers an unsupported version with -32022 and the versions that it supports
    Then each unsupported version is refused with the supported ones

  @MCP-VERS-08
  Scenario: The identifier of an extension is a key of metadata with a prefix
    Then each extension has a prefix

  @MCP-VERS-13 @when:modern-alone
  Scenario: A server of this era only names its versions in the error to initialize
    Then each error to initialize names a supported version
