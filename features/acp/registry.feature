Feature: Registry

  A registry keeps four values of each published version and emits one event for
  it. Packages have fresh names and authors, so that nothing is met that was there.

  @ACP-CHAIN-01
  Scenario: A registry can be asked to take a publication
    When the subject is asked to take a publication
    Then the operation is served

  @ACP-CHAIN-01
  Scenario: The capability URI is stored
    When an author publishes a package
    Then the registry gives back its cap_uri

  @ACP-CHAIN-03
  Scenario: The version is stored
    When an author publishes a package
    Then the registry gives back its semver

  @ACP-CHAIN-04
  Scenario: The CID is stored
    When an author publishes a package
    Then the registry gives back its cid

  @ACP-CHAIN-05
  Scenario: The hash is stored
    When an author publishes a package
    Then the registry gives back its sha256

  @ACP-CHAIN-02
  Scenario: A publication leaves one event
    When an author publishes a package
    Then exactly one event tells of it

  @ACP-CHAIN-06
  Scenario: The event holds the capability URI
    When an author publishes a package
    Then its event holds its cap_uri

  @ACP-CHAIN-07
  Scenario: The event holds the version
    When an author publishes a package
    Then its event holds its semver

  @ACP-CHAIN-08
  Scenario: The event holds the CID
    When an author publishes a package
    Then its event holds its cid

  @ACP-CHAIN-09
  Scenario: The event holds the hash
    When an author publishes a package
    Then its event holds its sha256

  @ACP-CHAIN-10
  Scenario: A refused publication leaves no event
    When an author publishes a package
    And publications are tried that a registry may refuse
    Then those that it refused left no event

  @ACP-MOT-03
  Scenario: What else is published changes nothing of a version
    When an author publishes a package
    And another version of it and another package are published
    Then the registry gives back the first as it did before

  @ACP-TERM-03
  Scenario: Another author does not get a name
    When an author publishes a package
    And another author publishes a version of it
    Then the other author is refused
    And the author's own next version is taken

  @ACP-PUB-02
  Scenario: Nobody publishes without an author
    When an author publishes a package
    And nobody publishes another package
    Then that is refused until its author publishes it

  @ACP-PUB-02
  Scenario: Nobody publishes by a key that is not the author's
    When an author publishes a package
    And somebody publishes another package by a key that is not its author's
    Then that is refused until its author publishes it

  @ACP-PUB-03
  Scenario: The file itself is not kept on the chain
    When an author publishes a package
    Then neither the record nor the event holds the text of the file
