Feature: Selective disclosure

  @CHP-DISC-01 @live @when:hash-chain
  Scenario: The hash of an event under the second scheme covers the commitment in place of the payload
    Then the hash of each event of the second scheme covers its members
    And the payload of each event fits its commitment
    And the hash of each link of the second scheme covers its commitment
    And each shown payload fits its commitment

  @CHP-DISC-01 @document
  Scenario: The hash of an event under the second scheme covers the commitment in place of the payload, in a file
    Then each link has its hash_scheme
    And the hash of each link of the second scheme covers its commitment
    And each shown payload fits its commitment

  @CHP-DISC-04 @live @when:hash-chain
  Scenario: New events use the second scheme
    Then each event that is hashed uses the second scheme
