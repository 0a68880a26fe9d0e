Feature: Built-in tools for state

  The model calls the tools. Queries show what the tools did: after each call, the
  harness queries the object of the call. Its creation, its patches and its deletion
  determine what each query of a run must return.

  @ACP-ABS-03
  Scenario: The runtime supplies the state tools
    Then each object that was created is found by its id

  @ACP-STATE-01
  Scenario: The runtime stores the whole object
    Then each object is stored as it was given

  @ACP-STATE-02
  Scenario: A JSON Patch changes one object, or none
    Then each object is what its JSON Patches make of it

  @ACP-STATE-04
  Scenario: A filter finds the objects that match it
    Then each query gives the objects that its filter fits

  @ACP-STATE-05
  Scenario: All results of a large query can be read
    Then the pages of each large query give each object once

  @ACP-STATE-06
  Scenario: A query does not find a deleted object
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
