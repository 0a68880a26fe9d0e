Feature: Legacy lists

  The old lists are views of the one registry.

  @ACD-LEG-01
  Scenario: Skills are the composite capabilities
    Then /listSkills lists the capabilities that match its query

  @ACD-LEG-02
  Scenario: Commands are the capabilities that can be invoked by command
    Then /listCommands lists the capabilities that match its query

  @ACD-LEG-03
  Scenario: Sub-agents are the capabilities with the substrate agent
    Then /listSubAgents lists the capabilities that match its query

  @ACD-LEG-04
  Scenario: Channels are the capabilities with the substrate transport
    Then /listChannels lists the capabilities that match its query

  @ACD-LEG-05
  Scenario: Capabilities are listed by kind
    Then each query by kind returns the entries that match
