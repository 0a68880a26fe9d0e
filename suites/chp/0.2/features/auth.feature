Feature: Authentication

  @CHP-AUTH-03 @live
  Scenario: Evidence names the authenticated caller as a verified subject
    Then each event of another subject than the one sent names a verified caller

  @CHP-AUTH-06 @live
  Scenario: A route that needs authentication answers a wrong key with status 401
    Then each route that refuses a request without a key does so with status 401
