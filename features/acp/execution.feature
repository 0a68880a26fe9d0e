Feature: Execution

  What reaches the model is the message, the prompt and the tools of one
  package. What the model then calls is executed, or answered as impossible.

  @ACP-EXEC-01
  Scenario: A router can be asked to answer a message
    Then the subject serves acp.message

  @ACP-EXEC-01
  Scenario: Every message reaches the model
    Then the model is shown each message whole

  @ACP-EXEC-10
  Scenario: The prompt reaches the model with every message
    Then the model is shown the prompt of the package with each message

  @ACP-EXEC-11
  Scenario: The tools reach the model with every message
    Then the model is shown the tools of the package with each message

  @ACP-EXEC-12
  Scenario: Tools and prompts of other packages never reach the model
    Then the model is shown nothing of another package

  @ACP-FIELD-12
  Scenario: A router looks for a model that meets the requirements
    When packages ask for models of different families
    Then each is given a model of its family

  @ACP-EXEC-03
  Scenario: A built-in tool is executed directly, whatever is bound to its name
    Then no built-in tool is executed by a binding

  @ACP-EXEC-04
  Scenario: An object that breaks the schema is not stored
    Then no object that breaks the schema is stored

  @ACP-EXEC-05
  Scenario: The binding of a call is the one under its name
    Given a package with bound tools is installed
    When the model calls two tools that are bound in one way to two places
    Then each place was called for its own tool

  @ACP-EXEC-06
  Scenario: A service is given the arguments
    Given a package with bound tools is installed
    When the model calls the tool that is bound by mcp_service
    Then the service was given the very arguments

  @ACP-EXEC-06
  Scenario: Another agent is given the arguments
    Given a package with bound tools is installed
    When the model calls the tool that is bound by nuwa_a2a
    Then the agent was given the arguments

  @ACP-EXEC-05
  Scenario: The binding of a call is the one of its own package
    Given two packages bind a tool of one name to two places
    When the model calls it by each of them
    Then each package's own place was called

  @ACP-EXEC-06
  Scenario: A service is given the arguments of each call
    Given a package with bound tools is installed
    When the model calls the tool that is bound by mcp_service twice in one turn
    Then both calls arrived with their own arguments

  @ACP-EXEC-06
  Scenario: Another agent is given the arguments of each call
    Given a package with bound tools is installed
    When the model calls the tool that is bound by nuwa_a2a twice in one turn
    Then both calls arrived with their own arguments

  @ACP-EXEC-07
  Scenario: A tool that nothing executes is not made up
    Given a package with bound tools is installed
    When the model calls the tool that is not bound
    Then the turn ends without a success
    And a tool that is bound is executed

  @ACP-EXEC-07
  Scenario: A tool is not executed by what another package binds
    Given two packages have a tool of one name and one of them binds it
    When the model calls it by the one that does not bind it
    Then the place of the other package was not called
