Feature: Routing

  Commands come first, then the capability on top of the stack, then the
  triggers of all. If two capabilities match a message, the stimuli find out which
  of them receives it in a new conversation, and make the other one active.

  @ACP-FIELD-06
  Scenario: A trigger routes a message to its package
    Then each message reaches the package whose own trigger it matches

  @ACP-ROUTE-01
  Scenario: The command /back comes before every capability
    Then the router obeys each /back before it tests the triggers

  @ACP-ROUTE-02
  Scenario: The capability on top of the stack is tested before the others
    Then each message that the active capability matches stays with it

  @ACP-ROUTE-03
  Scenario: The triggers of all capabilities classify a message that does not fit the active one
    Then each message that the active capability does not match reaches the one that does

  @ACP-ROUTE-04
  Scenario: The command /switch comes before every capability
    Then the router obeys each /switch before it tests the triggers

  @ACP-MOT-02
  Scenario: Capabilities are swapped within one conversation
    Then each message of a conversation with two packages reaches the one whose trigger it matches

  @ACP-COMP-01
  Scenario: A message that matches no capability is still answered
    Then each message that no trigger matches is answered without a capability
