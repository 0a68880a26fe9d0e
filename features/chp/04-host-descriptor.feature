Feature: Host Descriptor

  A host declares its identity, its capabilities and its evidence store.

  @CHP-4-01
  Scenario: A host has an id
    Then the host descriptor has its id

  @CHP-4-02
  Scenario: A host has a version
    Then the host descriptor has its version

  @CHP-4-03
  Scenario: A host declares protocol version 0.1
    Then the host descriptor has its protocol_version

  @CHP-4-04
  Scenario: A host states its kind
    Then the host descriptor has its kind

  @CHP-4-05
  Scenario: A host descriptor contains capability descriptors
    Then the host descriptor has its capabilities

  @CHP-4-06
  Scenario: A host describes its evidence store
    Then the host descriptor has its evidence

  @CHP-4-07
  Scenario: A host states whether its evidence is append-only
    Then the evidence metadata state whether the store is append-only

  @CHP-4-08
  Scenario: Descriptor and discovery show the same capabilities
    Then the host returns a host descriptor
    And discovery returns a list of capabilities
    And the host descriptor and discovery show the same capabilities

  @CHP-4-09
  Scenario: The id of a host is stable
    Then the id of the host is the same each time

  @CHP-4-09 @with:restart
  Scenario: The id of a host is stable across a restart
    Then the id of the host is the same after a restart

  @CHP-4-10
  Scenario: A newer host declares support for 0.1
    Then the host declares that it supports 0.1

  @CHP-4-11
  Scenario: A host descriptor conforms to the closed reading
    Then each host-descriptor conforms to its closed reading
