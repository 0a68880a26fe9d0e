Feature: Pagination

  @MCP-PAGE-02
  Scenario: A list has nextCursor, a string, only if there are more results
    Then the nextCursor of each page is a text
    And each further page is answered
    And the pages of each list end

  @MCP-PAGE-03
  Scenario: A cursor is stable
    Then a cursor that is used again is accepted

  @MCP-PAGE-04
  Scenario: A server handles an invalid cursor gracefully
    Then each message for invalid-cursors is answered
    And each call for discoveries-after-invalid-cursors is answered by a result

  @MCP-PAGE-05
  Scenario: A server answers an invalid cursor with -32602
    Then each message for invalid-cursors is refused with the number -32602
