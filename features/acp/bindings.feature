Feature: Tool bindings

  A tool that is not built in is executed as its binding says. The services
  behind the bindings are played by the harness and see what arrives.

  @ACP-BIND-05
  Scenario: A type of binding that the runtime does not know is an error for the model
    Given a package binds a tool by a type that nobody knows
    When the model calls the tool of that type
    Then the turn ends without a success
    And a tool that is bound is executed

  @ACP-BIND-06
  Scenario: A tool that is bound by http_get is executed as a GET
    Given a package with bound tools is installed
    When the model calls the tool that is bound by http_get
    Then a GET arrived at its place

  @ACP-BIND-07
  Scenario: A tool that is bound by http_post is executed as a POST
    Given a package with bound tools is installed
    When the model calls the tool that is bound by http_post
    Then a POST arrived at its place

  @ACP-BIND-08
  Scenario: A tool that is bound by nuwa_a2a calls the method of the agent
    Given a package with bound tools is installed
    When the model calls the tool that is bound by nuwa_a2a
    Then the agent was called with the method

  @ACP-BIND-09
  Scenario: A tool that is bound by mcp_service calls the action of the service
    Given a package with bound tools is installed
    When the model calls the tool that is bound by mcp_service
    Then the action of the service was called

  @ACP-BIND-10
  Scenario: A placeholder is replaced by the argument of its name
    Given a package with bound tools is installed
    When the model calls the tool whose agent is a placeholder
    Then the agent that the argument names was called

  @ACP-BIND-18
  Scenario: The arguments of http_get stand in the query
    Given a package with bound tools is installed
    When the model calls the tool that is bound by http_get
    Then the arguments stood in the query

  @ACP-BIND-19
  Scenario: The arguments of http_post are the JSON body
    Given a package with bound tools is installed
    When the model calls the tool that is bound by http_post
    Then the arguments were the body
