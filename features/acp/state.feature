Feature: Built-in tools for state

  The model calls the tools. Queries show what the tools did: after each call, the
  harness queries the object of the call. Its creation, its patches and its deletion
  determine what each query of a run must return.

  @ACP-ABS-03
  Scenario: The runtime supplies the state tools
    Then each created object is found by its id

  @ACP-STATE-01
  Scenario: The runtime stores the whole object
    Then each object is stored unchanged

  @ACP-STATE-02
  Scenario: A JSON Patch changes one object, or none
    Then each object is the result of its JSON Patches

  @ACP-STATE-04
  Scenario: A filter finds the objects that match it
    Then each query returns the objects that match its filter

  @ACP-STATE-05
  Scenario: All results of a large query can be read
    Then the pages of each large query contain each object once

  @ACP-STATE-06
  Scenario: A query does not find a deleted object
    Then each deleted object is gone, and no other object is

  @ACP-FIELD-15
  Scenario: A call under another schema URI has no effect
    Then no call under a schema URI that no package owns has an effect

  @ACP-MOT-04
  Scenario: A verb that is not declared has no effect
    Then no verb that its package does not declare has an effect

  @ACP-EXEC-08 @when:restart
  Scenario: State survives a restart
    Then each object is the same after a restart
