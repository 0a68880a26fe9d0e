Feature: Caching

  @MCP-CACHE-01
  Scenario: A complete result of server/discover, of a list and of a read has caching hints
    Then each complete result of server/discover, of a list and of a read has caching hints

  @MCP-CACHE-02
  Scenario: The ttlMs of a result is not negative
    Then the ttlMs of each result is age

  @MCP-CACHE-03
  Scenario: The cacheScope of a result is public or private
    Then the cacheScope of each result is scope

  @MCP-CACHE-05
  Scenario: All pages of a list have the same cacheScope
    Then all pages of a list have the same cacheScope
