Feature: Indexing service

  An indexing service resolves and searches what is published. Two capabilities
  are listed in two versions each, and each answer is compared with what was asked
  for: a service that drops an argument gives something else.

  @ACP-REG-04
  Scenario: The service follows the events
    When one more capability is published
    Then the service comes to know it

  @ACP-REG-05
  Scenario: The queries are offered as tools
    Then the service offers both queries as tools

  @ACP-INDEX-01
  Scenario: A version is resolved to its metadata
    Given capabilities are listed
    When each version is resolved
    Then the metadata are those of the version that was asked for

  @ACP-INDEX-09
  Scenario: A version is resolved to its CID
    Given capabilities are listed
    When each version is resolved
    Then the CID is that of the version that was asked for

  @ACP-INDEX-04
  Scenario: The metadata are those of the file
    Given capabilities are listed
    When each version is resolved
    Then the metadata are the section of the file

  @ACP-INDEX-05
  Scenario: Without a version the latest is meant
    Given capabilities are listed
    When each capability is resolved without a version
    Then the metadata are those of its highest version

  @ACP-INDEX-06
  Scenario: What nobody published is not resolved
    Given capabilities are listed
    When a capability is resolved that nobody published
    Then nothing is resolved

  @ACP-INDEX-06
  Scenario: A version that nobody published is not resolved
    Given capabilities are listed
    When a version is resolved that nobody published
    Then nothing is resolved

  @ACP-INDEX-02
  Scenario: A search finds a capability by a word of its metadata
    Given capabilities are listed
    When a word of each capability is searched for
    Then each word finds its own capability

  @ACP-INDEX-07
  Scenario: A search goes with filters and without
    Given capabilities are listed
    When a word of each capability is searched for with an empty map of filters and without
    Then both searches find the same

  @ACP-INDEX-08
  Scenario: A search that finds nothing gives no capability
    Given capabilities are listed
    When a word of each capability is searched for
    And a word is searched for that stands nowhere
    Then no capability is found
