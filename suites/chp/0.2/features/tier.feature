Feature: Tiers

  @CHP-TIER-01 @live
  Scenario: The host descriptor declares the assurance tier of the host
    Then each host declares its tier

  @CHP-TIER-02 @live @when:signed
  Scenario: The descriptor of a signed host has the id and the public key of its key
    Then each descriptor of a signed host has its key

  @CHP-TIER-04 @live @when:signed
  Scenario: The id of a key begins the SHA-256 of the public key
    Then each id of a key begins the hash of the key
    And the id of the key of each signature begins the hash of the key

  @CHP-TIER-04 @document
  Scenario: The id of a key begins the SHA-256 of the public key, in a file
    Then the id of the key of each signature begins the hash of the key
