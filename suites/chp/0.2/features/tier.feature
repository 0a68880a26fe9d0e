Feature: Tiers

  @CHP-TIER-01 @live @todo
  Scenario: The host descriptor declares the assurance tier of the host

  @CHP-TIER-02 @live @todo
  Scenario: The descriptor of a signed host has the id and the public key of its key

  @CHP-TIER-04 @live @todo
  Scenario: The id of a key begins the SHA-256 of the public key

  @CHP-TIER-04 @document
  Scenario: The id of a key begins the SHA-256 of the public key, in a file
    Then the id of the key of each signature begins the hash of the key
