Feature: Pagination

  @MCP-PAGE-02 @todo
  Scenario: A list has nextCursor, a string, only if there are more results

  @MCP-PAGE-03 @todo
  Scenario: A cursor is stable

  @MCP-PAGE-04 @todo
  Scenario: A server handles an invalid cursor gracefully

  @MCP-PAGE-05 @todo
  Scenario: A server answers an invalid cursor with -32602
