Feature: Metadata

  @MCP-META-02
  Scenario: The prefix of a key in _meta consists of labels separated by dots, and ends with a slash
    Then the prefix of each key of _meta consists of labels

  @MCP-META-03
  Scenario: Each label of a prefix in _meta has letters, digits and inner hyphens, and begins with a letter
    Then each label of a key of _meta is well-formed

  @MCP-META-05
  Scenario: The name of a key in _meta is empty or begins and ends with a letter or digit
    Then the name of each key of _meta is well-formed

  @MCP-META-08
  Scenario: A server answers a request without a required field of the metadata with -32602
    Then each message for requests-without-capabilities is refused with the number -32602

  @MCP-META-08 @when:modern-alone
  Scenario: A server of this revision alone answers a request without a version with -32602
    Then each message for requests-without-version is refused with the number -32602

  @MCP-META-12
  Scenario: A server answers a request that needs an undeclared capability with -32021 and the missing capabilities
    Then each error for a missing capability names it

  @MCP-META-14
  Scenario: A server states its name and version in the metadata of each result
    Then each result states the server

  @MCP-META-17
  Scenario: A notification of a subscription has the id of the subscription in its metadata
    Then each notification of a change states its subscription

  @MCP-META-18
  Scenario: Trace context in the metadata has the format of W3C
    Then each traceparent has the format of W3C
