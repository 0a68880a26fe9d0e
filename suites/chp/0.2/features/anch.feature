Feature: Anchors

  @CHP-ANCH-02 @live @todo
  Scenario: An attestation without anchors has no member anchors

  @CHP-ANCH-02 @document @todo
  Scenario: An attestation without anchors has no member anchors, in a file

  @CHP-ANCH-03 @live @todo
  Scenario: Anchors contain no number with a fraction

  @CHP-ANCH-03 @document @todo
  Scenario: Anchors contain no number with a fraction, in a file

  @CHP-ANCH-06 @live @todo
  Scenario: The host serves its identity document without authentication
