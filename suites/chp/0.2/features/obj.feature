Feature: Further members

  @CHP-OBJ-01 @live @todo
  Scenario: The further members of a descriptor, if present, have the printed types

  @CHP-OBJ-01 @document @todo
  Scenario: The further members of a descriptor, if present, have the printed types, in a file

  @CHP-OBJ-03 @live @todo
  Scenario: A host descriptor has a protocol version, 0.1 or 0.2

  @CHP-OBJ-03 @document @todo
  Scenario: A host descriptor has a protocol version, 0.1 or 0.2, in a file

  @CHP-OBJ-04 @live @todo
  Scenario: The outcome of a result is one of those that the schema lists

  @CHP-OBJ-02 @live @todo
  Scenario: An invocation result states success, its evidence ids and the time of its completion
