Feature: Prompts

  @MCP-PROMPT-01
  Scenario: A server that supports prompts declares the capability prompts
    Then a server that answers prompts/list with prompts declares prompts

  @MCP-PROMPT-03 @when:prompts
  Scenario: A prompt has a name that no other prompt has
    Then each listed prompt has its name
    And each listed prompt has its own name

  @MCP-PROMPT-04 @when:prompts
  Scenario: The role of a message of a prompt is user or assistant
    Then the role of each message is user or assistant

  @MCP-PROMPT-05 @when:prompts
  Scenario: The content of a message of a prompt is one of the defined types
    Then each message has a content

  @MCP-PROMPT-06
  Scenario: The data of an image is base64, and its MIME type is valid
    Then the data of each image is base64 with a media type

  @MCP-PROMPT-07
  Scenario: The data of audio is base64, and its MIME type is valid
    Then the data of each audio is base64 with a media type

  @MCP-PROMPT-08
  Scenario: An embedded resource has a valid URI
    Then each embedded resource has a URI

  @MCP-PROMPT-09
  Scenario: An embedded resource has an appropriate MIME type
    Then the media type of each embedded resource is well-formed

  @MCP-PROMPT-10
  Scenario: An embedded resource has text, or a blob in base64
    Then each embedded resource has text or a blob in base64

  @MCP-PROMPT-11 @when:prompts
  Scenario: A server answers prompts/get with an unknown name with -32602
    Then each call for unknown-prompts is refused with the number -32602

  @MCP-PROMPT-12 @when:prompts
  Scenario: A server answers prompts/get without a required argument with -32602
    Then each call for prompts-without-arguments is refused with the number -32602

  @MCP-PROMPT-17 @when:prompts
  Scenario: A server that declares prompts answers prompts/list
    Then a server that declares prompts answers prompts/list

  @MCP-PROMPT-02 @when:stdio @when:prompts-list-changed
  Scenario: A server that declares listChanged for prompts reports a change of the list
    Then a change of prompts in prompts/list is reported by notifications/prompts/list_changed
