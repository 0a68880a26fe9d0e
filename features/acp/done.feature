Feature: Leaving the stack

  A capability leaves the stack if a tool reports that it is done, and if it takes
  too long. A message that then goes to another capability shows that it left.

  @ACP-DONE-01
  Scenario: A capability leaves the stack if a tool reports done
    Then each capability for which a tool reports done leaves the stack, and no other does

  @ACP-DONE-02 @when:timeouts
  Scenario: A capability that takes too long leaves the stack
    Then each capability that takes too long is stopped and leaves the stack

  @ACP-DONE-03
  Scenario: Going back does not lead to a capability that lost a message
    Then /back never leads to a capability that lost a message
