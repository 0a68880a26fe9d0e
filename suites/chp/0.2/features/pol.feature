Feature: Policy

  @CHP-POL-03 @live
  Scenario: A denial by a policy has a decision record
    Then each decision of a policy has its record
