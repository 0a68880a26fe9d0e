Feature: Capability

  A capability has an id, a version and a kind. The pair of id and version
  identifies it, and a CapabilityRef consists of this pair.

  @CAP-CAP-02
  Scenario: No pair of id and version is listed twice
    Then no list contains a pair of id and version twice

  @CAP-CAP-03
  Scenario: Versions follow semantic versioning
    Then the version of each manifest follows semantic versioning

  @CAP-CAP-04
  Scenario: The kind is tool or skill
    Then the kind of each manifest is tool or skill

  @CAP-CAP-05 @when:several-versions
  Scenario: Each version of an id is a separate capability
    Then no description is the manifest of another version

  @CAP-REF-01
  Scenario: A reference of id and version identifies its capability
    Then each listed reference identifies its capability
