Feature: Discovery

  A source lists the manifests of its capabilities and describes each of them
  by the pair of its id and version.

  @CAP-DIS-01
  Scenario: The list gives manifests, all of them
    Then each list is a list of manifests, complete in itself

  @CAP-DIS-01
  Scenario: Nothing that the source knows is left out of the list
    Then nothing that the source knows is left out of the list

  @CAP-DIS-02
  Scenario: Describe gives the manifest of the pair
    Then each description is the manifest of its pair

  @CAP-DIS-03
  Scenario: List, describe and invoke are provided
    Then list, describe and invoke are provided

  @CAP-DIS-04
  Scenario: Describe knows nothing that is not listed
    Then each description of what nobody lists is NOT_FOUND

  @CAP-DIS-06 @with:replace
  Scenario: An invocation is validated by the current manifest
    Then a pair that was exchanged is gone and the new one is validated by its own manifest

  @CAP-DIS-07
  Scenario: Describe and list agree
    Then each description equals the manifest in the list
