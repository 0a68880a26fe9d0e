Feature: FR-SDK-4, shell

  The shell is a substrate for the agent itself, restricted by permissions and a sandbox.

  @ACD-SDK4-01 @role:shell
  Scenario: Internal callers can use the shell
    Then the shell can be used from within

  @ACD-SDK4-02 @role:shell
  Scenario: The shell requires a permission
    Then the shell asks each caller for its permission

  @ACD-SDK4-03 @role:shell
  Scenario: The shell runs in a sandbox
    Then the sandbox of the shell holds

  @ACD-SDK4-04
  Scenario: No channel exposes a shell
    Then no channel exposes a shell

  @ACD-SDK4-05
  Scenario: No shell is shown to people
    Then no shell is shown to people
