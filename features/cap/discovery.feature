Feature: Discovery

  A source lists the manifests of its capabilities and describes each of them
  by its pair of id and version.

  @CAP-DIS-01
  Scenario: The list contains all manifests
    Then each list is a list of manifests, complete in itself

  @CAP-DIS-01
  Scenario: The list contains everything that the source knows
    Then nothing that the source knows is left out of the list

  @CAP-DIS-02
  Scenario: Describe returns the manifest of the requested pair
    Then each description is the manifest of its pair

  @CAP-DIS-03
  Scenario: List, describe and invoke are provided
    Then list, describe and invoke are provided

  @CAP-DIS-04
  Scenario: Describe answers NOT_FOUND for a pair that is not listed
    Then each description of what nobody lists is NOT_FOUND

  @CAP-DIS-06 @with:replace
  Scenario: An invocation is validated against the current manifest
    Then a pair that was exchanged is gone and the new one is validated by its own manifest

  @CAP-DIS-07
  Scenario: Describe and list agree
    Then each description equals the manifest in the list
