Feature: FR-SDK-3, creation of capabilities

  Capabilities can be created at runtime; composites and sub-agents only with a language model.

  @ACD-SDK3-01
  Scenario: A created capability is available at once
    Then each created capability can be used at once

  @ACD-SDK3-02
  Scenario: A capability creates capabilities
    Then capability.create does what its name says and nothing else

  @ACD-SDK3-03
  Scenario: Composites need a language model
    Then no composite is created without a language model

  @ACD-SDK3-04
  Scenario: A capability enables capabilities
    Then capability.enable does what its name says and nothing else

  @ACD-SDK3-05
  Scenario: A capability binds capabilities
    Then capability.bind does what its name says and nothing else

  @ACD-SDK3-06
  Scenario: Sub-agents need a language model
    Then no proxy is created without a language model
