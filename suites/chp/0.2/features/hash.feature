Feature: Hash chain

  @CHP-HASH-01 @live @when:hash-chain
  Scenario: An evidence event has content_hash and prev_hash
    Then each event of a replay that shows hashes has its hashes

  @CHP-HASH-01 @live @when:signed
  Scenario: An event of a bundle has content_hash and prev_hash
    Then each link has its content_hash
    And each link has its prev_hash

  @CHP-HASH-01 @document
  Scenario: An evidence event has content_hash and prev_hash, in a file
    Then each link has its content_hash
    And each link has its prev_hash

  @CHP-HASH-02 @live @when:hash-chain
  Scenario: The content hash of an event is that of its stable members and of the hash before it
    Then the hash of each event of the first scheme covers its members
    And the hash of each link covers its members

  @CHP-HASH-02 @document
  Scenario: The content hash of an event is that of its stable members and of the hash before it, in a file
    Then the hash of each link covers its members

  @CHP-HASH-03 @live @when:hash-chain
  Scenario: The previous hash of an event is the content hash of the event before it in its chain
    Then each event of a replay follows the event before it
    And each link follows the link before it

  @CHP-HASH-03 @document
  Scenario: The previous hash of an event is the content hash of the event before it in its chain, in a file
    Then each link follows the link before it

  @CHP-HASH-04 @live @when:signed
  Scenario: A bundle names its scheme of canonicalization
    Then each bundle has its canonicalization

  @CHP-HASH-04 @document
  Scenario: A bundle names its scheme of canonicalization, in a file
    Then each bundle has its canonicalization

  @CHP-HASH-05 @live @when:hash-chain
  Scenario: Content that is hashed has no number with a fraction
    Then no hashed payload of an event has a fraction
    And no hashed payload has a fraction

  @CHP-HASH-05 @document
  Scenario: Content that is hashed has no number with a fraction, in a file
    Then no hashed payload has a fraction

  @CHP-HASH-13 @live @when:signed
  Scenario: The root hash of a bundle is that of the content hashes of its events in their order
    Then each bundle has its root_hash
    And the root hash covers the hashes in their order

  @CHP-HASH-13 @document
  Scenario: The root hash of a bundle is that of the content hashes of its events in their order, in a file
    Then each bundle has its root_hash
    And the root hash covers the hashes in their order
