Feature: Further members

  @CHP-OBJ-01 @live
  Scenario: The further members of a descriptor, if present, have the printed types
    Then each descriptor has its emits
    And each descriptor has its status
    And each descriptor has its idempotency
    And each descriptor has its side_effects
    And each descriptor has its policy
    And each descriptor has its timeout_s
    And each descriptor has its retry

  @CHP-OBJ-03 @live
  Scenario: A host descriptor has a wire version as its protocol version
    Then each host has its protocol_version

  @CHP-OBJ-04 @live
  Scenario: The outcome of a result is one of those that the schema lists
    Then each result has the outcome of a result

  @CHP-OBJ-02 @live
  Scenario: An invocation result states success, its evidence ids and the time of its completion
    Then each result has the success of a result
    And each result has the evidence_ids of a result
    And each result has the completed_at of a result
    And success is true for the outcome success alone
