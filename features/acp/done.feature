Feature: Done and popped

  A capability leaves the stack when a tool says that it is done, and when it
  takes too long. That it left is seen by a message that another one wins.

  @ACP-DONE-01
  Scenario: A capability is done when a tool says so
    Then each capability of which a tool says that it is done leaves the stack, and no other

  @ACP-DONE-02 @when:timeouts
  Scenario: A capability that takes too long is ended
    Then each capability that takes too long is given up and leaves the stack

  @ACP-DONE-03
  Scenario: A capability that lost a message is not gone back to
    Then no capability that lost a message is gone back to
