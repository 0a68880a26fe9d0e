Feature: Publisher

  A publisher signs a package, stores it and submits four values to the chain.
  The harness plays the gateway and the chain, and sees what arrives.

  @ACP-PUB-01
  Scenario: The publisher stores the file
    Then each published package is stored unchanged except for its signature

  @ACP-PUB-05
  Scenario: A publisher publishes packages
    Then the subject serves acp.author

  @ACP-PUB-05
  Scenario: The publisher submits the capability URI
    Then the submitted cap_uri of each package is that of its id

  @ACP-PUB-06
  Scenario: The publisher submits the version
    Then the submitted semver of each package is that of its id

  @ACP-PUB-07
  Scenario: The publisher submits the CID
    Then the submitted cid of each package is that of its file

  @ACP-PUB-08
  Scenario: The publisher submits the hash
    Then the submitted sha256 of each package is that of its file

  @ACP-PUB-09
  Scenario: The publisher signs the package
    Then each published package is signed by its author
