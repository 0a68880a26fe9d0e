Feature: Multi round-trip requests

  @MCP-MRTR-03 @todo
  Scenario: A server requests input only in answer to tools/call, prompts/get and resources/read

  @MCP-MRTR-06 @todo
  Scenario: The keys of the input requests are unique

  @MCP-MRTR-07 @todo
  Scenario: An input request is about elicitation, sampling or roots

  @MCP-MRTR-08 @todo
  Scenario: A server treats the state of a request as input of an attacker

  @MCP-MRTR-13 @todo
  Scenario: A request for input has input requests or a state

  @MCP-MRTR-14 @todo
  Scenario: A server requests only input that the client has declared

  @MCP-MRTR-15 @todo
  Scenario: A server does not assume that a client retries

  @MCP-MRTR-23 @todo
  Scenario: A server answers malformed input responses with an error

  @MCP-MRTR-24 @todo
  Scenario: A server ignores input responses that it did not request

  @MCP-MRTR-25 @todo
  Scenario: A server requests missing input again
