Feature: Selective disclosure

  @CHP-DISC-01 @live @todo
  Scenario: The hash of an event under the second scheme covers the commitment in place of the payload

  @CHP-DISC-01 @document
  Scenario: The hash of an event under the second scheme covers the commitment in place of the payload, in a file
    Then each link has its hash_scheme
    And the hash of each link of the second scheme covers its commitment
    And each shown payload fits its commitment

  @CHP-DISC-04 @live @todo
  Scenario: New events use the second scheme
