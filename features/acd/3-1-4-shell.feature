Feature: FR-SDK-4, shell

  The shell is a substrate for the agent itself, and held in by permissions and a sandbox.

  @ACD-SDK4-01 @role:shell
  Scenario: The shell is reached from within
    Then the shell can be used from within

  @ACD-SDK4-02 @role:shell
  Scenario: The shell needs a permission
    Then the shell asks each caller for its permission

  @ACD-SDK4-03 @role:shell
  Scenario: The shell is in a sandbox
    Then the sandbox of the shell holds

  @ACD-SDK4-04
  Scenario: No channel exposes a shell
    Then no channel exposes a shell

  @ACD-SDK4-05
  Scenario: No shell is shown to people
    Then no shell is shown to people
