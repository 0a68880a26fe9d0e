Feature: Authentication

  @CHP-AUTH-03 @live @todo
  Scenario: Evidence names the authenticated caller as a verified subject

  @CHP-AUTH-05 @live @todo
  Scenario: An invocation outside the scope of a key is denied with policy_blocked and leaves evidence

  @CHP-AUTH-06 @live @todo
  Scenario: A route that needs authentication answers a wrong key with status 401
