Feature: Errors

  The text defines five codes, each for one cause.

  @CAP-ERR-01
  Scenario: Invoke answers NOT_FOUND for a pair that is not listed
    Then some invocation succeeded
    And each invocation of an unlisted pair is answered with NOT_FOUND

  @CAP-ERR-02
  Scenario: A valid input is never INVALID_INPUT
    Then no valid input is refused as INVALID_INPUT
    And some invocation succeeded
    And some input that breaks a keyword is refused

  @CAP-ERR-03
  Scenario: A missing permission is PERMISSION_DENIED
    Then some invocation succeeded
    And each answer of the role restricted has the code PERMISSION_DENIED

  @CAP-ERR-04
  Scenario: A failure during execution is EXECUTION_FAILED
    Then each answer of the role fails has the code EXECUTION_FAILED
    And the source continues to serve after the role fails

  @CAP-ERR-04 @with:attach
  Scenario: The failure of an attached tool is EXECUTION_FAILED
    Then the failure of an attached tool has the code EXECUTION_FAILED

  @CAP-ERR-05 @role:slow
  Scenario: An exceeded deadline is TIMEOUT
    Then each answer of the role slow has the code TIMEOUT
    And the source continues to serve after the role slow

  @CAP-ERR-06
  Scenario: Each error has one of the five codes
    Then each error has one of the codes of the text
    And some invocation succeeded
