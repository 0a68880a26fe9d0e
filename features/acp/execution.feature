Feature: Execution

  The message, the prompt and the tools of one package reach the model. The runtime
  executes what the model then calls, or answers that it cannot.

  @ACP-EXEC-01
  Scenario: A router answers messages
    Then the subject serves acp.message

  @ACP-EXEC-01
  Scenario: Every message reaches the model
    Then the model receives the whole text of each message

  @ACP-EXEC-10
  Scenario: The prompt reaches the model with every message
    Then the model receives the prompt of the package with each message

  @ACP-EXEC-11
  Scenario: The tools reach the model with every message
    Then the model receives the tools of the package with each message

  @ACP-EXEC-12
  Scenario: Tools and prompts of other packages never reach the model
    Then the model receives nothing of another package

  @ACP-FIELD-12
  Scenario: A router chooses a model that meets the requirements
    Then the router requests a model of the family that each package names

  @ACP-EXEC-03
  Scenario: The runtime executes a built-in tool directly, whatever is bound to its name
    Then no built-in tool is executed by a binding

  @ACP-EXEC-04
  Scenario: The runtime stores no object that breaks the schema
    Then no object that breaks the schema is stored

  @ACP-EXEC-05
  Scenario: A call is executed by the binding under its name
    Then each tool is executed by the binding under its name in its own package

  @ACP-EXEC-06
  Scenario: A service receives the arguments
    Then each service receives the arguments of each call

  @ACP-EXEC-06
  Scenario: Another agent receives the arguments
    Then each agent receives the arguments of each call

  @ACP-EXEC-07
  Scenario: A tool that nothing executes has no invented result
    Then no call of a tool without a binding succeeds
