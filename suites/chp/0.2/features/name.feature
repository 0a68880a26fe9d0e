Feature: Names

  @CHP-NAME-03 @live @todo
  Scenario: The id of a capability below chp.adapters has an adapter and a capability

  @CHP-NAME-04 @live @todo
  Scenario: Event types and ids of capabilities of one's own are names under a reversed domain
