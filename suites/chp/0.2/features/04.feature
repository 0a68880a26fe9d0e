Feature: Host descriptor

  @CHP-4-01 @live
  Scenario: A host descriptor has the id of the host
    Then each host has its id

  @CHP-4-02 @live
  Scenario: A host descriptor has the version of the host implementation
    Then each host has its version

  @CHP-4-04 @live
  Scenario: A host descriptor states the kind of the host
    Then each host has its kind

  @CHP-4-05 @live
  Scenario: A host descriptor contains capability descriptors
    Then each host has its capabilities

  @CHP-4-06 @live
  Scenario: A host descriptor describes its evidence store
    Then each host has its evidence

  @CHP-4-07 @live
  Scenario: The evidence metadata state whether the store is append-only
    Then each evidence of a host states append_only
