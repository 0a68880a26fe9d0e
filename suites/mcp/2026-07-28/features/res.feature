Feature: Resources

  @MCP-RES-01
  Scenario: A server that supports resources declares the capability resources
    Then a server that answers resources/list with resources declares resources

  @MCP-RES-03 @when:resources
  Scenario: A resource has a URI that no other resource has
    Then each listed resource has its uri
    And each listed resource has its own uri

  @MCP-RES-04 @when:resources
  Scenario: A resource has a name
    Then each listed resource has its name

  @MCP-RES-05 @when:resources
  Scenario: A resource template has a URI template
    Then each listed template has its uriTemplate
    And each URI template has balanced expressions

  @MCP-RES-06 @when:resources
  Scenario: The contents of a resource are text or a blob
    Then each complete reading has contents

  @MCP-RES-08
  Scenario: The audience of an annotation is a list of user and assistant
    Then the audience of each annotation is a list of roles

  @MCP-RES-09
  Scenario: The priority of an annotation is a number from 0 to 1
    Then the priority of each annotation is a number from 0 to 1

  @MCP-RES-10
  Scenario: The lastModified of an annotation is a timestamp in ISO 8601
    Then the lastModified of each annotation is a timestamp

  @MCP-RES-14 @when:resources
  Scenario: A custom URI scheme complies with RFC 3986
    Then the URI of each resource complies with RFC 3986

  @MCP-RES-16 @when:resources
  Scenario: A server validates the URI of a read
    Then no invalid URI is answered with contents

  @MCP-RES-18 @when:resources
  Scenario: A blob is encoded in base64
    Then each blob is base64

  @MCP-RES-19 @when:resources
  Scenario: A server that declares resources answers resources/list
    Then a server that declares resources answers resources/list

  @MCP-RES-21 @when:resources
  Scenario: A server answers a read of an unknown resource with -32602
    Then each call for unknown-resources is refused with the number -32602

  @MCP-RES-22 @when:resources
  Scenario: A server does not return empty contents for an unknown resource
    Then no unknown resource has empty contents

  @MCP-RES-02 @when:stdio @when:resources-list-changed
  Scenario: A server that declares listChanged for resources reports a change of the list
    Then a change of resources in resources/list is reported by notifications/resources/list_changed
