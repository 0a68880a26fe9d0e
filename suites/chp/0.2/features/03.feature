Feature: Capability descriptor

  @CHP-3-01 @live @todo
  Scenario: A capability descriptor has an id

  @CHP-3-01 @document @todo
  Scenario: A capability descriptor has an id, in a file

  @CHP-3-02 @live @todo
  Scenario: A capability descriptor has a version

  @CHP-3-02 @document @todo
  Scenario: A capability descriptor has a version, in a file

  @CHP-3-03 @live @todo
  Scenario: A capability descriptor has a human-readable description

  @CHP-3-03 @document @todo
  Scenario: A capability descriptor has a human-readable description, in a file

  @CHP-3-04 @live @todo
  Scenario: A capability descriptor lists the modes in which it can be invoked

  @CHP-3-04 @document @todo
  Scenario: A capability descriptor lists the modes in which it can be invoked, in a file

  @CHP-3-08 @live @todo
  Scenario: An input schema, if present, is a JSON Schema

  @CHP-3-08 @document @todo
  Scenario: An input schema, if present, is a JSON Schema, in a file

  @CHP-3-09 @live @todo
  Scenario: An output schema, if present, is a JSON Schema

  @CHP-3-09 @document @todo
  Scenario: An output schema, if present, is a JSON Schema, in a file

  @CHP-3-11 @live @todo
  Scenario: A risk, if present, is low, medium, high or critical

  @CHP-3-11 @document @todo
  Scenario: A risk, if present, is low, medium, high or critical, in a file

  @CHP-3-06 @live @todo
  Scenario: A capability descriptor lists the types of the events that the capability may emit

  @CHP-3-06 @document @todo
  Scenario: A capability descriptor lists the types of the events that the capability may emit, in a file
