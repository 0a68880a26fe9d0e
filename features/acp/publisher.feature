Feature: Publisher

  A publisher signs a package, stores it and submits four values to the chain.
  Gateway and chain are played by the harness and see what arrives.

  @ACP-PUB-01
  Scenario: The file is stored
    When packages are given to the publisher
    Then each of their files was stored as it was given, but for the signature

  @ACP-PUB-05
  Scenario: A publisher can be asked to publish a package
    When the subject is asked to publish a package
    Then the operation is served

  @ACP-PUB-05
  Scenario: The capability URI is submitted
    When packages are given to the publisher
    Then the cap_uri that was submitted is the id of the package

  @ACP-PUB-06
  Scenario: The version is submitted
    When packages are given to the publisher
    Then the semver that was submitted is the version in the id of the package

  @ACP-PUB-07
  Scenario: The CID is submitted
    When packages are given to the publisher
    Then the cid that was submitted is that of the file

  @ACP-PUB-08
  Scenario: The hash is submitted
    When packages are given to the publisher
    Then the sha256 that was submitted is that of the file

  @ACP-PUB-09
  Scenario: The package is signed
    When packages are given to the publisher
    Then each of their files is signed by its author
