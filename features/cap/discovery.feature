Feature: Discovery

  A source lists the manifests of its capabilities and describes each of them
  by the pair of its id and version.

  @CAP-DIS-01
  Scenario: The list gives manifests, all of them
    When the capabilities are listed
    Then the answer is a list of manifests
