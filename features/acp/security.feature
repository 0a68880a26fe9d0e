Feature: Security

  A router rejects unsigned and invalid packages. If a router rejects everything,
  this shows nothing: the same package must act if it is valid.

  @ACP-SEC-01
  Scenario: The router rejects a package without a signature
    Then no package without a signature acts

  @ACP-SEC-05
  Scenario: The router rejects a package whose signature cannot be verified
    Then no package whose signature cannot be verified acts

  @ACP-SEC-06
  Scenario: The router rejects a package that somebody else signed
    Then no package that somebody else signed acts

  @ACP-SEC-07
  Scenario: The router rejects a package that was changed after it was signed
    Then no package that was changed after it was signed acts

  @ACP-SEC-08
  Scenario: The router rejects a package that breaks a rule of the text
    Then no package that breaks a rule of the text acts

  @ACP-SEC-09
  Scenario: The router rejects a package whose comments or line ends were changed
    Then no package whose comments or line ends were changed acts

  @ACP-SEC-03
  Scenario: A capability neither reads nor changes the state of another memory scope
    Then no package reads or changes the state of another memory scope

  @ACP-SEC-02
  Scenario: A tool in the sandbox does not reach an address that its package does not declare
    Then no tool in a sandbox reaches an address that its package does not declare

  @ACP-SEC-04
  Scenario: The router refuses a prompt that attacks the model, or warns about it
    Then the router refuses a prompt that attacks the model, or warns about it
