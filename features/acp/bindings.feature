Feature: Tool bindings

  A tool that is not built in is executed as its binding says. The services
  behind the bindings are played by the harness and see what arrives.

  @ACP-BIND-05
  Scenario: A type of binding that the runtime does not know is an error for the model
    Then no call of a tool that is bound by an unknown type has a success

  @ACP-BIND-06
  Scenario: A tool that is bound by http_get is executed as a GET
    Then each tool that is bound by http_get is executed by a GET of its URL

  @ACP-BIND-07
  Scenario: A tool that is bound by http_post is executed as a POST
    Then each tool that is bound by http_post is executed by a POST of its URL

  @ACP-BIND-08
  Scenario: A tool that is bound by nuwa_a2a calls the method of the agent
    Then each tool that is bound by nuwa_a2a calls the method of its agent

  @ACP-BIND-09
  Scenario: A tool that is bound by mcp_service calls the action of the service
    Then each tool that is bound by mcp_service calls the action of its service

  @ACP-BIND-10
  Scenario: A placeholder is replaced by the argument of its name
    Then each placeholder is replaced by the argument of its name

  @ACP-BIND-18
  Scenario: The arguments of http_get stand in the query
    Then the arguments of each http_get stand in the query

  @ACP-BIND-19
  Scenario: The arguments of http_post are the JSON body
    Then the arguments of each http_post are the body
