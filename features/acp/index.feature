Feature: Indexing service

  An indexing service resolves and searches published capabilities. Two
  capabilities are listed in two versions each, and each answer is compared with
  the request: a service that drops an argument returns something else.

  @ACP-REG-04
  Scenario: The service follows the events
    Then the service learns each published capability

  @ACP-REG-05
  Scenario: The service offers its queries as tools
    Then the service offers both queries as tools

  @ACP-INDEX-01
  Scenario: The service resolves a version to its metadata
    Then each version is resolved to its own metadata

  @ACP-INDEX-09
  Scenario: The service resolves a version to its CID
    Then each version is resolved to its own CID

  @ACP-INDEX-04
  Scenario: The metadata are those of the file
    Then each version is resolved to the section metadata of its file

  @ACP-INDEX-05
  Scenario: Without a version, the service resolves the latest
    Then each capability URI without a version is resolved to the highest version

  @ACP-INDEX-06
  Scenario: The service does not resolve a capability that nobody published
    Then no capability that nobody published is resolved

  @ACP-INDEX-06
  Scenario: The service does not resolve a version that nobody published
    Then no version that nobody published is resolved

  @ACP-INDEX-02
  Scenario: A search finds a capability by a word of its metadata
    Then each word finds its own capability before any other

  @ACP-INDEX-07
  Scenario: A search works with and without filters
    Then each word finds the same with an empty map of filters and without filters

  @ACP-INDEX-08
  Scenario: A search without a match returns no capability
    Then no word that occurs nowhere finds a capability
