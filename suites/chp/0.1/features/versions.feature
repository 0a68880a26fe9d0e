Feature: Version Semantics

  The version of a capability is a semantic version, and decides which capability an invocation means.

  @CHP-3-20
  Scenario: Versions are semantic versions
    Then the version of each capability is a semantic version

  @document @CHP-3-20
  Scenario: Versions in files are semantic versions
    Given the documents contain capability descriptors
    Then in the documents, the version of each capability is a semantic version

  @CHP-3-23
  Scenario: The host does not choose between versions
    Then no capability in several versions is executed for an invocation without a version
