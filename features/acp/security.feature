Feature: Security

  A router rejects unsigned and invalid packages. If a router rejects everything,
  this shows nothing: the same package must act if it is valid.

  @ACP-SEC-01
  Scenario: The router rejects a package without a signature
    Then no package acts that has no signature

  @ACP-SEC-05
  Scenario: The router rejects a package whose signature cannot be verified
    Then no package acts whose signature cannot be verified

  @ACP-SEC-06
  Scenario: The router rejects a package that somebody else signed
    Then no package acts that somebody else signed

  @ACP-SEC-07
  Scenario: The router rejects a package that was changed after it was signed
    Then no package acts that was changed after it was signed

  @ACP-SEC-08
  Scenario: The router rejects a package that breaks a rule of the text
    Then no package acts that breaks a rule of the text

  @ACP-SEC-09
  Scenario: The router rejects a package whose comments or line ends were changed
    Then no package acts whose comments or line ends were changed

  @ACP-SEC-03
  Scenario: A capability neither reads nor changes the state of another memory scope
    Then nothing of a memory scope is seen or changed from another

  @ACP-SEC-02
  Scenario: A tool in the sandbox does not reach an address that its package does not declare
    Then no tool in a sandbox reaches an address that its package does not declare

  @ACP-SEC-04
  Scenario: The router refuses a prompt that attacks the model, or warns about it
    Then one of the prompts that attack the model is refused or warned about
