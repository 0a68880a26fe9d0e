Feature: Capability descriptor

  @CHP-3-01 @live
  Scenario: A capability descriptor has an id
    Then each descriptor has its id

  @CHP-3-02 @live
  Scenario: A capability descriptor has a version
    Then each descriptor has its version

  @CHP-3-03 @live
  Scenario: A capability descriptor has a human-readable description
    Then each descriptor has its description

  @CHP-3-04 @live
  Scenario: A capability descriptor lists the modes in which it can be invoked
    Then each descriptor has its modes

  @CHP-3-08 @live
  Scenario: An input schema, if present, is a JSON Schema
    Then each input_schema of a descriptor is a JSON Schema

  @CHP-3-09 @live
  Scenario: An output schema, if present, is a JSON Schema
    Then each output_schema of a descriptor is a JSON Schema

  @CHP-3-11 @live
  Scenario: A risk, if present, is low, medium, high or critical
    Then each descriptor has its risk

  @CHP-3-06 @live
  Scenario: A capability descriptor lists the types of the events that the capability may emit
    Then each descriptor lists its emits
