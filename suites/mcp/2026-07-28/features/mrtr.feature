Feature: Multi round-trip requests

  @MCP-MRTR-03
  Scenario: A server requests input only in answer to tools/call, prompts/get and resources/read
    Then each result of a request that is no call of a tool, no prompt and no read wants no input

  @MCP-MRTR-07
  Scenario: An input request is about elicitation, sampling or roots
    Then each input request is about elicitation, sampling or roots

  @MCP-MRTR-08
  Scenario: A server treats the state of a request as input of an attacker
    Then each retry with an altered state and the next request are answered

  @MCP-MRTR-13
  Scenario: A request for input has input requests or a state
    Then each request for input has input requests or a state

  @MCP-MRTR-14
  Scenario: A server requests only input that the client has declared
    Then no input is wanted that the client has not declared

  @MCP-MRTR-15
  Scenario: A server does not assume that a client retries
    Then each call for discoveries-after-wanted-input is answered by a result

  @MCP-MRTR-23
  Scenario: A server answers malformed input responses with an error
    Then each message for malformed input is refused

  @MCP-MRTR-25
  Scenario: A server requests missing input again
    Then missing input is wanted again

  @MCP-MRTR-06
  Scenario: The keys of the input requests are unique
    Then no two input requests have the same key

  @MCP-MRTR-24
  Scenario: A server ignores input that it did not request
    Then input that nobody requested is ignored
