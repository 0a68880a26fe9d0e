Feature: Built-in tools for state

  The model calls the tools. What they did is seen by what a query gives: behind
  each call, the object that it was about is looked for. An object is what its
  creation, its patches and its deletion make of it, at every look of a run.

  @ACP-ABS-03
  Scenario: The runtime supplies the state tools
    Then each object that was created is found by its id

  @ACP-STATE-01
  Scenario: An object is stored whole
    Then each object is stored as it was given

  @ACP-STATE-02
  Scenario: A JSON Patch changes one object, or none
    Then each object is what its JSON Patches make of it

  @ACP-STATE-04
  Scenario: A filter finds the objects that it fits
    Then each query gives the objects that its filter fits

  @ACP-STATE-05
  Scenario: All results of a large query can be read
    Then the pages of each large query give each object once

  @ACP-STATE-06
  Scenario: A deleted object is not found
    Then each object that was deleted is gone, and no other

  @ACP-FIELD-15
  Scenario: A call under another schema URI has no effect
    Then no call under a schema URI that no package owns has an effect

  @ACP-MOT-04
  Scenario: A verb that is not declared has no effect
    Then no verb that its package does not declare has an effect

  @ACP-EXEC-08 @when:restart
  Scenario: State survives a restart
    Then each object is behind a restart what it was before
