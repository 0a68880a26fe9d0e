Feature: Capability

  A capability has an id, a version and a kind. The pair of id and version is
  its identity; a CapabilityRef of these two is all that refers to it.

  @CAP-CAP-02
  Scenario: No pair of id and version is listed twice
    When the capabilities are listed
    Then no two manifests share their pair of id and version

  @CAP-CAP-02 @exclusive
  Scenario: No pair is listed twice at the end of a run
    When the capabilities are listed again
    Then no two manifests share their pair of id and version

  @CAP-CAP-03
  Scenario: Versions follow semantic versioning
    When the capabilities are listed and each is described
    Then in every manifest the version follows semantic versioning

  @CAP-CAP-04
  Scenario: The kind is tool or skill
    When the capabilities are listed and each is described
    Then in every manifest the kind is tool or skill

  @CAP-CAP-04 @exclusive
  Scenario: The kind is still tool or skill at the end of a run
    When the capabilities are listed again
    Then in every manifest the kind is tool or skill

  @CAP-CAP-05 @when:several-versions
  Scenario: Each version of an id is a capability of its own
    When each capability with several versions is described in each of them
    Then each answer is the manifest of the pair that was asked for
    And no answer is the manifest of another version
    And each answer equals the manifest in the list

  @CAP-REF-01
  Scenario: A reference of id and version designates a capability
    When a capability is invoked by a reference of its id and version alone
    Then it takes the reference
