Feature: FR-SDK-4, shell

  The shell is a substrate for the agent itself, restricted by permissions and a sandbox.

  @ACD-SDK4-01 @role:shell
  Scenario: Internal callers can use the shell
    Then an internal caller can use the shell

  @ACD-SDK4-02 @role:shell
  Scenario: The shell requires a permission
    Then the shell refuses each caller without its permission

  @ACD-SDK4-03 @role:shell
  Scenario: The shell runs in a sandbox
    Then the shell is restricted by a sandbox

  @ACD-SDK4-04
  Scenario: No channel exposes a shell
    Then no channel exposes a shell

  @ACD-SDK4-05
  Scenario: No shell is shown to people
    Then no shell capability is exposed to people
