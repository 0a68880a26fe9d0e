Feature: Error codes

  @MCP-ERR-02
  Scenario: A server does not use codes from -32000 to -32019
    Then no error has a legacy code

  @MCP-ERR-04
  Scenario: A server uses codes from -32020 to -32099 only if the protocol defines them, and with their meaning
    Then the code of each error in a message is permitted
    And the number of each error is permitted

  @MCP-ERR-05
  Scenario: A server does not use the codes -32002 and -32042 of earlier revisions
    Then no error in a message has the code -32002
    And no error in a message has the code -32042
    And no error has the number -32002
    And no error has the number -32042

  @MCP-ERR-07
  Scenario: A code that neither JSON-RPC nor the protocol defines is outside the range from -32768 to -32000
    Then each other error is outside the range of JSON-RPC
