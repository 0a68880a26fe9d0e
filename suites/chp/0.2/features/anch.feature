Feature: Anchors

  @CHP-ANCH-02 @live @when:signed
  Scenario: An attestation without anchors has no member anchors
    Then each attestation of a host without anchors has no member anchors
    And each attestation of a bundle without anchors has no member anchors

  @CHP-ANCH-02 @document
  Scenario: An attestation without anchors has no member anchors, in a file
    Then each attestation of a bundle without anchors has no member anchors

  @CHP-ANCH-03 @live @when:signed
  Scenario: Anchors contain no number with a fraction
    Then no anchor of a host has a number with a fraction
    And no anchor of a bundle has a number with a fraction

  @CHP-ANCH-03 @document
  Scenario: Anchors contain no number with a fraction, in a file
    Then no anchor of a bundle has a number with a fraction

  @CHP-ANCH-06 @live @when:signed
  Scenario: The host serves its identity document without authentication
    Then the public route /.well-known/chp-identity is answered without a key
    And each identity has its assurance
    And the identity document shows nothing of capabilities
