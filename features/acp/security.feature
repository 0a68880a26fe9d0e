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

  @ACP-SEC-08
  Scenario: A package whose id is no capability URI is refused
    When a package whose id is no capability URI is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package whose schema has no URI is refused
    When a package whose schema has no URI is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package that uses a verb and does not declare it is refused
    When a package that uses a verb and does not declare it is offered
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
  Scenario: A package whose id has no version is refused
    When a package whose id has no version is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package whose version begins with a letter is refused
    When a package whose version begins with a letter is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package whose schema has a relative URI is refused
    When a package whose schema has a relative URI is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package that declares all but one of the verbs that it uses is refused
    When a package that declares all but one of the verbs that it uses is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package that uses state.update and does not declare it is refused
    When a package that uses state.update and does not declare it is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package that uses state.query and does not declare it is refused
    When a package that uses state.query and does not declare it is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package with a binding for a tool that it lacks is refused
    When a package with a binding for a tool that it lacks is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package without a schema is refused
    When a package without a schema is offered
    Then it does not act
    And the same package acts once it is offered soundly

  @ACP-SEC-08
  Scenario: A package whose schema is no JSON is refused
    When a package whose schema is no JSON is offered
    Then it does not act
    And the same package acts once it is offered soundly

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
  Scenario: What one memory scope holds is not seen from another
    Given a package that keeps objects is installed
    When the model creates an object
    And packages of another memory scope look for it
    Then they are given nothing of it
    And the object is stored

  @ACP-SEC-03
  Scenario: What one memory scope holds is not changed from another
    Given a package that keeps objects of its own is installed
    When the model creates an object
    And packages of another memory scope change it, delete it and create one beside it
    Then the object is stored
    And what they created is not found

  @ACP-SEC-02
  Scenario: A tool in the sandbox does not reach what its package does not declare
    Given a package binds a tool by a type that runs in a sandbox
    When the model calls the tool with an address
    Then nothing arrives at the address

  @ACP-SEC-04
  Scenario: A prompt that attacks the model is not mounted in silence
    When packages whose prompts attack the model are offered
    Then one of them is refused or warned about
