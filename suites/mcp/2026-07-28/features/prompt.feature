Feature: Prompts

  @MCP-PROMPT-01 @todo
  Scenario: A server that supports prompts declares the capability prompts

  @MCP-PROMPT-02 @todo
  Scenario: A server that declares listChanged for prompts reports a change of the list

  @MCP-PROMPT-03 @todo
  Scenario: A prompt has a name that no other prompt has

  @MCP-PROMPT-04 @todo
  Scenario: The role of a message of a prompt is user or assistant

  @MCP-PROMPT-05 @todo
  Scenario: The content of a message of a prompt is one of the defined types

  @MCP-PROMPT-06 @todo
  Scenario: The data of an image is base64, and its MIME type is valid

  @MCP-PROMPT-07 @todo
  Scenario: The data of audio is base64, and its MIME type is valid

  @MCP-PROMPT-08 @todo
  Scenario: An embedded resource has a valid URI

  @MCP-PROMPT-09 @todo
  Scenario: An embedded resource has an appropriate MIME type

  @MCP-PROMPT-10 @todo
  Scenario: An embedded resource has text, or a blob in base64

  @MCP-PROMPT-11 @todo
  Scenario: A server answers prompts/get with an unknown name with -32602

  @MCP-PROMPT-12 @todo
  Scenario: A server answers prompts/get without a required argument with -32602

  @MCP-PROMPT-17 @todo
  Scenario: A server that declares prompts answers prompts/list
