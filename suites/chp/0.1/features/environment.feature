Feature: Environment

  A correlation context may say in which environment an invocation runs, and the evidence then says it too.

  @CHP-7-10
  Scenario: The environment is one of the four words
    Then each environment in a result is dev, test, pilot or prod
    And each environment in an event is dev, test, pilot or prod
    And at least one invocation has the outcome success

  @document @CHP-7-10
  Scenario: Environments in files are one of the four words
    Given the documents contain correlation contexts
    Then in the documents, each environment of a correlation context is dev, test, pilot or prod

  @CHP-7-11
  Scenario: The evidence contains the environment
    Then each event contains the environment of the caller
