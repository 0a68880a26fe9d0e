Feature: Routing

  Commands come first, then the capability on top of the stack, then the
  triggers of all. Where two capabilities match a message, the scenarios find
  out which of them wins it in a new conversation, and make the other one active.

  @ACP-FIELD-06
  Scenario: A regular expression brings a message to its package
    Given two packages have regular expressions of their own
    When the own trigger of each begins a conversation
    Then each message reaches the package of its trigger

  @ACP-FIELD-06
  Scenario: A keyword brings a message to its package
    Given two packages have keywords of their own
    When the own trigger of each begins a conversation
    Then each message reaches the package of its trigger

  @ACP-ROUTE-01
  Scenario: Going back comes before every capability
    Given two packages share a trigger, match every command and have a trigger each of their own
    And the one that loses the shared trigger is active, after the other one was
    When the user goes back
    Then the command reaches no capability
    And the active one is active no more

  @ACP-ROUTE-02
  Scenario: The capability on top of the stack is tested before the others
    Given two packages share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a message matches the shared trigger
    Then it reaches the active one

  @ACP-ROUTE-02
  Scenario: The capability on top of the stack is tested by its keywords too
    Given two packages have keywords of their own
    And the one that loses the shared trigger is active
    When a message matches the shared trigger
    Then it reaches the active one

  @ACP-ROUTE-03
  Scenario: What does not fit the active capability is classified by the triggers of all
    Given two packages share a trigger and have one each of their own
    And the one that wins the shared trigger is active
    When a message matches the trigger of the other one alone
    Then it reaches the other one

  @ACP-ROUTE-04
  Scenario: Switching comes before every capability
    Given two packages share a trigger, match every command and have a trigger each of their own
    And the one that wins the shared trigger is active
    When the user switches to the other one
    Then the command reaches no capability
    And the other one is active

  @ACP-MOT-02
  Scenario: Capabilities are swapped within one conversation
    Given two packages share a trigger and have one each of their own
    When one conversation goes from one to the other and back
    Then each message reaches the package of its trigger

  @ACP-COMP-01
  Scenario: What fits no capability is answered all the same
    When a message that no trigger matches begins a conversation
    Then it is answered and reaches no capability
    And a message that a trigger matches reaches its package
