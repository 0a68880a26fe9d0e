Feature: Policy

  @CHP-POL-03 @live @todo
  Scenario: A denial by a policy has a decision record
