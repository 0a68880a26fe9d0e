Feature: Everything is a capability

  Whatever an agent has is a capability with a descriptor, and described once.

  @ACD-DEF-01
  Scenario: What the agent names is registered
    Then everything that the agent names is registered

  @ACD-DEF-02 @when:speaks-cap
  Scenario: Two protocols describe a capability equally
    Then both protocols say the same of each capability
