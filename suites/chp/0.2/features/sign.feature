Feature: Signed bundles

  @CHP-SIGN-01 @live @todo
  Scenario: A signed host exports a correlation as a bundle

  @CHP-SIGN-02 @live @todo
  Scenario: A bundle has the members of the printed shape

  @CHP-SIGN-02 @document
  Scenario: A bundle has the members of the printed shape, in a file
    Then each bundle has its host_id
    And each bundle has its protocol_version
    And each bundle has its created_at
    And each bundle has its assurance
    And each bundle has its events

  @CHP-SIGN-03 @live @todo
  Scenario: The bundle is signed as a whole

  @CHP-SIGN-03 @document @todo
  Scenario: The bundle is signed as a whole, in a file

  @CHP-SIGN-04 @live @todo
  Scenario: The signature covers the canonical header of the bundle

  @CHP-SIGN-04 @document @todo
  Scenario: The signature covers the canonical header of the bundle, in a file

  @CHP-SIGN-08 @live @todo
  Scenario: The descriptor of a signed host has the attestation of its identity

  @CHP-SIGN-10 @live @todo
  Scenario: An attestation binds the id of the host to its key, with a signature of the key

  @CHP-SIGN-10 @document @todo
  Scenario: An attestation binds the id of the host to its key, with a signature of the key, in a file
