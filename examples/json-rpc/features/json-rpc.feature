Feature: JSON-RPC 2.0

  @JSONRPC-4-02
  Scenario: A name that begins with rpc. is used for extensions alone
    Then no undefined method of the reserved names returns a result

  @JSONRPC-4-06
  Scenario: A response repeats the id of its request
    Then each request with the id null is answered
    And each response repeats the id of its request

  @JSONRPC-4-07
  Scenario: A notification is not answered
    Then no notification is answered
    And no notification of a batch is answered

  @JSONRPC-5-01
  Scenario: A request is answered by one response
    Then each request is answered by one response

  @JSONRPC-5-02
  Scenario: A response has the version 2.0
    Then each response has the version 2.0

  @JSONRPC-5-04
  Scenario: A response with an error has no result
    Then no response with an error has a result

  @JSONRPC-5-05
  Scenario: A call that cannot succeed has an error
    Then a message that cannot be a request is answered by an error, if it is answered

  @JSONRPC-5-07
  Scenario: An error is an object
    Then the error of each response is an object

  @JSONRPC-5-08
  Scenario: A response has an id
    Then each response has an id

  @JSONRPC-5-09
  Scenario: A response has the id of its request
    Then each response repeats the id of its request
    And each response to an element of a batch has the id of a request of the batch, or null

  @JSONRPC-5-10
  Scenario: A response to a message without a readable id has the id null
    Then the id of each response to a message without a readable id is null
    And the id of each response to an invalid request is null or that of the request

  @JSONRPC-5-11
  Scenario: A response has either result or error
    Then each response has either result or error

  @JSONRPC-5-12
  Scenario: An error has a code and a message
    Then each error has a code and a message

  @JSONRPC-5-13
  Scenario: A code is an integer
    Then the code of each error is an integer

  @JSONRPC-5-14
  Scenario: A message is a single sentence
    Then the message of each error is one line

  @JSONRPC-5-15
  Scenario: A message is a text
    Then the message of each error is a text

  @JSONRPC-5-16
  Scenario: A code is not reserved for future use
    Then no code is one of those that are reserved for future use

  @JSONRPC-5-17
  Scenario: A defined code means what the text says
    Then each code for an unknown method means this
    And each code for a message that cannot be a request means this

  @JSONRPC-5-18
  Scenario: An unknown method is refused with its code
    Then each request with an unknown method has the code -32601

  @JSONRPC-5-19
  Scenario: A text that is not JSON is refused with its code
    Then each text that is not JSON has the code -32700

  @JSONRPC-5-20
  Scenario: JSON that is no request is refused with its code
    Then each message that is no request has the code -32600

  @JSONRPC-6-02
  Scenario: A batch gets a response for each request
    Then each request of a batch has its response

  @JSONRPC-6-06
  Scenario: A batch without an element gets one response
    Then the empty batch is answered by one response
    And a batch that is not JSON is answered by one response, if it is answered

  @JSONRPC-6-07
  Scenario: No answer is an empty array
    Then no answer is an empty array

  @JSONRPC-6-08
  Scenario: A batch is answered by an array
    Then each batch with requests is answered by an array

  @JSONRPC-8-01
  Scenario: A name that begins with rpc. is left to extensions
    Then no undefined method of the reserved names returns a result
