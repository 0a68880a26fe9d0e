Feature: Discovery

  A source lists the manifests of its capabilities and describes each of them
  by the pair of its id and version.

  @CAP-DIS-01
  Scenario: The list gives manifests, all of them
    When the capabilities are listed
    Then the answer is a list of manifests, complete in itself

  @CAP-DIS-01
  Scenario: Nothing that the source knows is left out of the list
    When the capabilities are listed
    Then the source knows no other version of a listed capability

  @CAP-DIS-01 @exclusive
  Scenario: The list stays complete
    When the capabilities are listed again
    Then the answer is a list of manifests, complete in itself
    And what is listed no more is known no more

  @CAP-DIS-02
  Scenario: Describe gives the manifest of the pair
    When each capability with one version is described
    Then each answer is the manifest of the pair that was asked for

  @CAP-DIS-03
  Scenario: List, describe and invoke are provided
    When a capability is listed, described and invoked
    Then each of the three operations gives what the text says

  @CAP-DIS-04
  Scenario: Describe knows nothing that is not listed
    When references that nobody lists are described
    Then each of them is unknown: NOT_FOUND

  @CAP-DIS-06 @with:replace @exclusive
  Scenario: An invocation is validated by the manifest that stands
    When a pair is exchanged for another
    Then the old pair is gone and the new one is validated by its own manifest

  @CAP-DIS-07
  Scenario: Describe and list agree
    When each capability with one version is described
    Then each answer equals the manifest in the list
