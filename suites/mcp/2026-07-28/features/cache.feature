Feature: Caching

  @MCP-CACHE-01 @todo
  Scenario: A complete result of server/discover, of a list and of a read has caching hints

  @MCP-CACHE-02 @todo
  Scenario: The ttlMs of a result is not negative

  @MCP-CACHE-03 @todo
  Scenario: The cacheScope of a result is public or private

  @MCP-CACHE-05 @todo
  Scenario: All pages of a list have the same cacheScope
