Feature: Host descriptor

  @CHP-4-01 @live @todo
  Scenario: A host descriptor has the id of the host

  @CHP-4-01 @document @todo
  Scenario: A host descriptor has the id of the host, in a file

  @CHP-4-02 @live @todo
  Scenario: A host descriptor has the version of the host implementation

  @CHP-4-02 @document @todo
  Scenario: A host descriptor has the version of the host implementation, in a file

  @CHP-4-04 @live @todo
  Scenario: A host descriptor states the kind of the host

  @CHP-4-04 @document @todo
  Scenario: A host descriptor states the kind of the host, in a file

  @CHP-4-05 @live @todo
  Scenario: A host descriptor contains capability descriptors

  @CHP-4-05 @document @todo
  Scenario: A host descriptor contains capability descriptors, in a file

  @CHP-4-06 @live @todo
  Scenario: A host descriptor describes its evidence store

  @CHP-4-06 @document @todo
  Scenario: A host descriptor describes its evidence store, in a file

  @CHP-4-07 @live @todo
  Scenario: The evidence metadata state whether the store is append-only

  @CHP-4-07 @document @todo
  Scenario: The evidence metadata state whether the store is append-only, in a file
