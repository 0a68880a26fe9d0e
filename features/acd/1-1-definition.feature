Feature: Everything is a capability

  Everything that an agent offers is a capability with a descriptor.

  @ACD-DEF-01
  Scenario: What the agent names is registered
    Then each id that the agent names is registered

  @ACD-DEF-02 @when:speaks-cap
  Scenario: Two protocols describe a capability identically
    Then both protocols describe each capability identically
