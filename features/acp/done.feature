Feature: Done and popped

  A capability leaves the stack when a tool says that it is done, and when it
  takes too long. That it left is seen by a message that another one wins.

  @ACP-DONE-01
  Scenario: A service that says done in structured content ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a tool of the active one says done in structured content
    Then the active one is active no more

  @ACP-DONE-01
  Scenario: A service that says done in a text ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a tool of the active one says done in a text
    Then the active one is active no more

  @ACP-DONE-01
  Scenario: A service that says done in a body ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a tool of the active one says done in a body
    Then the active one is active no more

  @ACP-DONE-01
  Scenario: A service that says done in the body of a GET ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a tool of the active one says done in the body of a GET
    Then the active one is active no more
    And a message that only its trigger matches reaches it

  @ACP-DONE-01
  Scenario: A service that says done after another one did not ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When tools of the active one say what is not done, and then done, in one turn
    Then the active one is active no more

  @ACP-DONE-01
  Scenario: A service that says done before another one does not ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When tools of the active one say done, and then what is not, in one turn
    Then the active one is active no more

  @ACP-DONE-01
  Scenario: An agent that says done ends its capability
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a tool of the active one says done as an agent
    Then the active one is active no more

  @ACP-DONE-01
  Scenario: A capability that is done in one conversation is not done in another
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    And it is active in another conversation too
    When a tool of the active one says done in structured content
    Then the active one is still active in the other conversation

  @ACP-DONE-01
  Scenario: What is not done ends nothing
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When tools of the active one say what is not done
    Then the active one is still active

  @ACP-DONE-02 @when:timeouts @exclusive
  Scenario: A capability that takes too long is ended
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a tool of the active one does not answer in time
    Then the active one is active no more

  @ACP-DONE-03
  Scenario: A capability that lost a message is not gone back to
    Given two packages that can end share a trigger and have one each of their own
    And the one that loses the shared trigger is active
    When a message goes to the other one and the user goes back
    Then the active one is active no more
