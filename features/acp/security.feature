Feature: Security

  A router refuses what is unsigned or invalid. A router that refuses everything
  shows nothing by it: the same package has to act once it is sound.

  @ACP-SEC-01
  Scenario: A package without a signature is refused
    Then no package acts that has no signature

  @ACP-SEC-05
  Scenario: A package whose signature cannot be verified is refused
    Then no package acts whose signature cannot be verified

  @ACP-SEC-06
  Scenario: A package that somebody else signed is refused
    Then no package acts that somebody else signed

  @ACP-SEC-07
  Scenario: A package that was changed after it was signed is refused
    Then no package acts that was changed after it was signed

  @ACP-SEC-08
  Scenario: A package that breaks a rule of the text is refused
    Then no package acts that breaks a rule of the text

  @ACP-SEC-09
  Scenario: A package whose comments or line ends were changed is refused
    Then no package acts whose comments or line ends were changed

  @ACP-SEC-03
  Scenario: What one memory scope holds is neither seen nor changed from another
    Then nothing of a memory scope is seen or changed from another

  @ACP-SEC-02
  Scenario: A tool in the sandbox does not reach what its package does not declare
    Then no tool in a sandbox reaches an address that its package does not declare

  @ACP-SEC-04
  Scenario: A prompt that attacks the model is not mounted in silence
    Then one of the prompts that attack the model is refused or warned about
