Feature: Names

  @CHP-NAME-03 @live
  Scenario: The id of a capability below chp.adapters has an adapter and a capability
    Then each id below chp.adapters has an adapter and a capability

  @CHP-NAME-04 @live
  Scenario: Event types and ids of capabilities of one's own are names under a reversed domain
    Then each event type is reserved or a name under a reversed domain
