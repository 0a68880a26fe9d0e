Feature: Signed bundles

  @CHP-SIGN-01 @live @when:signed
  Scenario: A signed host exports a correlation as a bundle
    Then each correlation of a signed host is exported as a bundle

  @CHP-SIGN-02 @live @when:signed
  Scenario: A bundle has the members of the printed shape
    Then each bundle has its host_id
    And each bundle has its protocol_version
    And each bundle has its created_at
    And each bundle has its assurance
    And each bundle has its events
    And each bundle has its public_key

  @CHP-SIGN-02 @document
  Scenario: A bundle has the members of the printed shape, in a file
    Then each bundle has its host_id
    And each bundle has its protocol_version
    And each bundle has its created_at
    And each bundle has its assurance
    And each bundle has its events
    And each bundle has its public_key

  @CHP-SIGN-03 @live @when:signed
  Scenario: The bundle is signed as a whole
    Then each bundle has its signature
    And each bundle of the signed tier is signed

  @CHP-SIGN-03 @document
  Scenario: The bundle is signed as a whole, in a file
    Then each bundle has its signature
    And each bundle of the signed tier is signed

  @CHP-SIGN-04 @live @when:signed
  Scenario: The signature covers the canonical header of the bundle
    Then the signature of each bundle covers its header

  @CHP-SIGN-04 @document
  Scenario: The signature covers the canonical header of the bundle, in a file
    Then the signature of each bundle covers its header

  @CHP-SIGN-08 @live @when:signed
  Scenario: The descriptor of a signed host has the attestation of its identity
    Then each signed host shows its attestation

  @CHP-SIGN-10 @live @when:signed
  Scenario: An attestation binds the id of the host to its key, with a signature of the key
    Then each identity has its host_identity
    And each attestation that the host shows binds it to its key
    And each attestation is signed by the key that it names
    And each attestation in a bundle names the host and the key of the bundle

  @CHP-SIGN-10 @document
  Scenario: An attestation binds the id of the host to its key, with a signature of the key, in a file
    Then each bundle has its host_identity
    And each attestation is signed by the key that it names
    And each attestation in a bundle names the host and the key of the bundle
