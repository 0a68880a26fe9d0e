Feature: Invocation

  An invocation takes a reference and an object, validates the object against
  the input schema, and gives an InvokeResult.

  @CAP-INV-01
  Scenario: Every invocation gives an InvokeResult, whatever its outcome
    When each capability is invoked with sound inputs
    And each capability is invoked with inputs that each break one keyword
    And references that nobody lists are invoked
    Then every answer is an InvokeResult
    And some capability came back ok

  @CAP-INV-01 @with:fails
  Scenario: A failure during execution is told by an InvokeResult
    When "fails" is invoked with a sound input
    Then every answer is an InvokeResult

  @CAP-INV-01 @with:slow
  Scenario: A deadline exceeded is told by an InvokeResult
    When "slow" is invoked with a sound input
    Then every answer is an InvokeResult

  @CAP-INV-02
  Scenario: An input that breaks the input schema is not accepted
    When each capability is invoked with inputs that each break one keyword
    Then none of them is accepted

  @CAP-INV-02 @with:attach @exclusive
  Scenario: An attached tool validates its input
    When a server of tools is attached
    Then no attached tool takes an input that breaks its schema

  @CAP-INV-03
  Scenario: A failed validation is INVALID_INPUT
    When each capability is invoked with inputs that each break one keyword
    Then every refusal is INVALID_INPUT

  @CAP-INV-03 @with:counter @exclusive
  Scenario: Nothing is executed for an input that fails validation
    When each capability is invoked with inputs that each break one keyword
    Then no handler ran for them

  @CAP-INV-03
  Scenario: What fails on a sound input validates first
    When each capability that fails on a sound input is invoked with inputs that each break one keyword
    Then some input that breaks a keyword is refused
    And every refusal is INVALID_INPUT

  @CAP-INV-04
  Scenario: A successful output keeps the declared output schema
    When each capability is invoked with sound inputs
    Then every output keeps the output schema that is declared

  @CAP-INV-04 @with:malformed
  Scenario: An output that breaks its schema is no success
    When "malformed" is invoked with a sound input
    Then the answer is no success
    And some capability came back ok

  @CAP-INV-05
  Scenario: The one reply is final
    When each capability is invoked with sound inputs
    Then every answer is final
    And some capability came back ok

  @CAP-INV-05 @with:echo
  Scenario: Each of several callers gets its own result
    When "echo" is invoked many times at once, each time with an input of its own
    Then each answer belongs to its own input

  @CAP-INV-01 @exclusive
  Scenario: Every answer of the run is an InvokeResult
    When everything that was invoked so far is looked at
    Then every answer is an InvokeResult
    And some capability came back ok

  @CAP-INV-04 @exclusive
  Scenario: Every output of the run keeps its schema
    When everything that was invoked so far is looked at
    Then every output keeps the output schema that is declared

  @CAP-INV-05 @exclusive
  Scenario: Every answer of the run is final
    When everything that was invoked so far is looked at
    Then every answer is final
    And some capability came back ok
