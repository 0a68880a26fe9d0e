Feature: Tool bindings

  The runtime executes a tool that is not built in by its binding. The harness
  plays the services behind the bindings and sees what arrives.

  @ACP-BIND-05
  Scenario: A call by an unknown type of binding ends in an error for the model
    Then no call by a binding of an unknown type succeeds

  @ACP-BIND-06
  Scenario: A tool with a binding of type http_get is executed as a GET
    Then each tool with a binding of type http_get is executed by a GET request to its URL

  @ACP-BIND-07
  Scenario: A tool with a binding of type http_post is executed as a POST
    Then each tool with a binding of type http_post is executed by a POST request to its URL

  @ACP-BIND-08
  Scenario: A tool with a binding of type nuwa_a2a calls the method of the agent
    Then each tool with a binding of type nuwa_a2a calls the method of its agent

  @ACP-BIND-09
  Scenario: A tool with a binding of type mcp_service calls the action of the service
    Then each tool with a binding of type mcp_service calls the action of its service

  @ACP-BIND-10
  Scenario: The argument of the same name replaces a placeholder
    Then the argument of the same name replaces each placeholder

  @ACP-BIND-18
  Scenario: The arguments of http_get are in the query
    Then the arguments of each http_get are in the query

  @ACP-BIND-19
  Scenario: The arguments of http_post are the JSON body
    Then the arguments of each http_post are the JSON body
