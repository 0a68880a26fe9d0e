Feature: Publisher

  A publisher signs a package, stores it and submits four values to the chain.
  Gateway and chain are played by the harness and see what arrives.

  @ACP-PUB-01
  Scenario: The file is stored
    Then each published package was stored as it was given, but for the signature

  @ACP-PUB-05
  Scenario: A publisher can be asked to publish a package
    Then the subject serves acp.author

  @ACP-PUB-05
  Scenario: The capability URI is submitted
    Then the cap_uri that was submitted of each package stands in its id

  @ACP-PUB-06
  Scenario: The version is submitted
    Then the semver that was submitted of each package stands in its id

  @ACP-PUB-07
  Scenario: The CID is submitted
    Then the cid that was submitted of each package is that of its file

  @ACP-PUB-08
  Scenario: The hash is submitted
    Then the sha256 that was submitted of each package is that of its file

  @ACP-PUB-09
  Scenario: The package is signed
    Then each published package is signed by its author
