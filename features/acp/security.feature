Feature: Security

  A router refuses what is unsigned or invalid. A router that refuses everything
  shows nothing by it: the same package has to act once it is sound.

  @ACP-SEC-01
  Scenario: A package without a signature is refused
    When a package without a signature is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-01
  Scenario: A package with an empty signature is refused
    When a package with an empty signature is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-05
  Scenario: A package with a placeholder for a signature is refused
    When a package with a placeholder for a signature is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-05
  Scenario: A package whose signature is noise is refused
    When a package whose signature is noise is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-06
  Scenario: A package that somebody else signed is refused
    When a package that somebody else signed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package in which one letter was changed is refused
    When a package in which one letter was changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-01
  Scenario: A package whose signature is null is refused
    When a package with null for a signature is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-01
  Scenario: A newer version without a signature is refused
    When a newer version without a signature of a package that is installed is brought
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-05
  Scenario: A newer version whose signature is noise is refused
    When a newer version whose signature is noise of a package that is installed is brought
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-06
  Scenario: A newer version that somebody else signed is refused
    When a newer version that somebody else signed of a package that is installed is brought
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package in which the address of a binding was changed is refused
    When a package in which the address of a binding was changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package in which the schema was changed is refused
    When a package in which the schema was changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package in which the description was changed is refused
    When a package in which the description was changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package in which a trigger was changed is refused
    When a package in which a trigger was changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package in which the parameters of a tool were changed is refused
    When a package in which the parameters of a tool were changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A newer version in which one letter was changed is refused
    When a newer version in which one letter was changed of a package that is installed is brought
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-07
  Scenario: A package that was sound before and in which one letter was changed is refused
    Given a sound package is installed and a message reaches it
    When it is uninstalled
    And it is brought back in which one letter was changed
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario Outline: A package <flaw> is refused
    When a package <flaw> is offered
    Then it does not act
    And the same package acts once it is offered soundly

    Examples: Each breaks one rule that the text prints for packages.
      | flaw |
      | of two YAML documents |
      | with a repeated key |
      | without metadata, whose members stand at the top |
      | without a schema |
      | whose schema is a mapping |
      | whose prompt is a list |
      | with a tool that has no type |
      | whose tool bindings are a list |
      | whose schema is no JSON |
      | whose schema is of another dialect |
      | whose id is no capability URI |
      | whose id has no version |
      | whose version begins with a letter |
      | whose schema has a relative URI |
      | whose schema has no URI |
      | with a state tool that fixes another schema URI |
      | with null among its triggers |
      | with a trigger that is no regular expression |
      | whose LLM requirements are a list |
      | whose model family is a text |
      | whose model URI is a list |
      | whose context window is a text |
      | whose required features are a text |
      | with a binding for a tool that it lacks |
      | with a binding that has no type |
      | with a binding of type http_get that has no url |
      | with a binding of type http_post that has no url |
      | with a binding of type nuwa_a2a that has no target_did |
      | with a binding of type nuwa_a2a that has no service_method |
      | with a binding of type mcp_service that has no service_uri |
      | with a binding of type mcp_service that has no mcp_action |
      | that uses a verb and does not declare it |
      | that uses state.update and does not declare it |
      | that uses state.query and does not declare it |
      | that declares all but one of the verbs that it uses |

  @ACP-SEC-09
  Scenario: A package in which a comment was changed is refused
    When a package in which a comment was changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-09
  Scenario: A package in which the line ends were changed is refused
    When a package in which the line ends were changed is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-03
  Scenario: What one memory scope holds is neither seen nor changed from another
    Then nothing of a memory scope is seen or changed from another

  @ACP-SEC-02
  Scenario: A tool in the sandbox does not reach what its package does not declare
    Then no tool in a sandbox reaches an address that its package does not declare

  @ACP-SEC-04
  Scenario: A prompt that attacks the model is not mounted in silence
    When packages whose prompts attack the model are offered
    Then one of them is refused or warned about
