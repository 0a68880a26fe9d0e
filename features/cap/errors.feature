Feature: Errors

  Five codes, each for one cause.

  @CAP-ERR-01
  Scenario: What is not listed does not exist
    When references that nobody lists are invoked
    Then some capability came back ok
    And each of them does not exist: NOT_FOUND

  @CAP-ERR-02
  Scenario: A sound input is never INVALID_INPUT
    When each capability is invoked with sound inputs
    Then none of them is refused as INVALID_INPUT
    And some capability came back ok
    And some input that breaks a keyword is refused

  @CAP-ERR-02 @exclusive
  Scenario: A sound input is INVALID_INPUT at no time
    When everything that was invoked so far is looked at
    Then none of them is refused as INVALID_INPUT
    And some capability came back ok

  @CAP-ERR-03
  Scenario: A missing permission is PERMISSION_DENIED
    When "restricted" is invoked with a sound input
    Then some capability came back ok
    And the answer is PERMISSION_DENIED

  @CAP-ERR-04
  Scenario: A failure during execution is EXECUTION_FAILED
    When "fails" is invoked with a sound input
    Then the answer is EXECUTION_FAILED
    And the source still serves

  @CAP-ERR-04 @with:attach @exclusive
  Scenario: The failure of an attached tool is EXECUTION_FAILED
    When a server of tools is attached
    Then the failure of an attached tool is EXECUTION_FAILED

  @CAP-ERR-05 @role:slow
  Scenario: A deadline exceeded is TIMEOUT
    When "slow" is invoked with a sound input
    Then the answer is TIMEOUT
    And the source still serves

  @CAP-ERR-06 @exclusive
  Scenario: The set of codes is closed
    When everything that was invoked so far is looked at
    Then every error bears one of the codes of the text
    And some capability came back ok
