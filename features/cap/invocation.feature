Feature: Invocation

  Invoke takes a reference and an input object, validates the object against
  the input schema, and returns an InvokeResult.

  @CAP-INV-01 @each-capability
  Scenario: Each invocation returns an InvokeResult, whatever its outcome
    Then each invocation is answered with an InvokeResult
    And some invocation succeeded

  @CAP-INV-02 @each-capability
  Scenario: An input that breaks the input schema is not accepted
    Then no input that breaks its schema is accepted

  @CAP-INV-02 @with:attach
  Scenario: An attached tool validates its input
    Then no attached tool accepts an input that breaks its schema

  @CAP-INV-03 @each-capability
  Scenario: A failed validation is INVALID_INPUT
    Then each refusal of an input that breaks its schema has the code INVALID_INPUT

  @CAP-INV-03 @with:counter
  Scenario: Nothing is executed for an input that fails validation
    Then no handler is executed for an input that breaks its schema

  @CAP-INV-04 @each-capability
  Scenario: A successful output satisfies the declared output schema
    Then each output satisfies the declared output schema

  @CAP-INV-04 @with:malformed
  Scenario: An output that breaks its schema is not a success
    Then no answer of the role malformed is a success
    And some invocation succeeded

  @CAP-INV-05
  Scenario: The one reply is final
    Then each answer is final
    And some invocation succeeded

  @CAP-INV-05
  Scenario: Each of several concurrent callers gets the result for its input
    Then each of several concurrent callers gets the answer to its own input
