Feature: Discovery

  A source lists the manifests of its capabilities and describes each of them
  by its pair of id and version.

  @CAP-DIS-01
  Scenario: The list contains all manifests
    Then each list is a complete array of manifests

  @CAP-DIS-01
  Scenario: The list contains everything that the source knows
    Then each list contains every capability that the source knows

  @CAP-DIS-02
  Scenario: Describe returns the manifest of the requested pair
    Then each description is the manifest of the requested pair

  @CAP-DIS-03
  Scenario: List, describe and invoke are provided
    Then list, describe and invoke are provided

  @CAP-DIS-04
  Scenario: Describe answers NOT_FOUND for a pair that is not listed
    Then each describe of an unlisted pair is answered with NOT_FOUND

  @CAP-DIS-06 @with:replace
  Scenario: An invocation is validated against the current manifest
    Then a replaced pair is unknown and its replacement is validated against its own manifest

  @CAP-DIS-07
  Scenario: Describe and list agree
    Then each description equals the manifest in the list
