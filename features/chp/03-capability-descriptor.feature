Feature: Capability Descriptor

  A descriptor declares what action exists and how it may be invoked.

  @CHP-3-01
  Scenario: A descriptor has an id
    Then each capability descriptor has its id

  @CHP-3-02
  Scenario: A descriptor has a version
    Then each capability descriptor has its version

  @CHP-3-03
  Scenario: A descriptor has a description
    Then each capability descriptor has its description

  @CHP-3-04
  Scenario: A descriptor lists modes
    Then each capability descriptor has its modes

  @CHP-3-05
  Scenario: Every capability supports sync
    Then the modes of each capability include sync

  @CHP-3-06
  Scenario: A descriptor lists the types of its events
    Then each capability descriptor has its emits

  @CHP-3-08 @when:input-schema
  Scenario: An input schema is a JSON Schema
    Then each input_schema that is present is a JSON Schema

  @CHP-3-09 @when:output-schema
  Scenario: An output schema is a JSON Schema
    Then each output_schema that is present is a JSON Schema

  @CHP-3-10 @when:invariants
  Scenario: Invariants are a list of declarations
    Then each invariants that is present has its type

  @CHP-3-11 @when:risk
  Scenario: A risk is one of four words
    Then each risk that is present has its type

  @CHP-3-12 @when:assurance
  Scenario: Assurance is an object
    Then each assurance that is present has its type

  @CHP-3-13 @when:owner-tags-metadata
  Scenario: Owner, tags and metadata have their types
    Then each owner that is present has its type
    And each tags that is present has its type
    And each metadata that is present has its type

  @CHP-3-14 @when:capability-uri
  Scenario: The URI of a capability is its id and version
    Then each capability URI consists of id and version

  @CHP-3-15
  Scenario: Id and version identify one capability
    Then each pair of id and version identifies one capability

  @CHP-3-15
  Scenario: Id and version continue to identify the same capability
    Then later answers declare the same pairs of id and version

  @CHP-3-16
  Scenario: A capability emits only what it lists
    Then at least one invocation has the outcome success
    And each capability emits only event types that it lists

  @CHP-3-07
  Scenario: A descriptor has the recommended members
    Then each capability descriptor has the recommended members

  @CHP-3-17 @when:input-schema @each-capability
  Scenario: A payload that breaks the input schema does not succeed
    Then no payload that breaks the input schema succeeds

  @CHP-3-18 @when:output-schema @each-capability
  Scenario: The data of a success satisfies the output schema
    Then at least one invocation has the outcome success
    And the data of each success satisfies the output schema

  @CHP-3-19
  Scenario: A capability descriptor conforms to the closed reading
    Then each capability-descriptor conforms to its closed reading
