Feature: Registry

  A registry keeps four values of each published version and emits one event for
  it. Each is looked at directly after its publication, and once more in the end.
  Packages have fresh names and authors, so that nothing is met that was there.

  @ACP-CHAIN-01
  Scenario: A registry can be asked to take a publication
    Then the subject serves acp.publish

  @ACP-CHAIN-01
  Scenario: The capability URI is stored
    Then the registry gives back the cap_uri of each published version

  @ACP-CHAIN-03
  Scenario: The version is stored
    Then the registry gives back the semver of each published version

  @ACP-CHAIN-04
  Scenario: The CID is stored
    Then the registry gives back the cid of each published version

  @ACP-CHAIN-05
  Scenario: The hash is stored
    Then the registry gives back the sha256 of each published version

  @ACP-CHAIN-02
  Scenario: A publication leaves one event
    Then one event tells of each published version

  @ACP-CHAIN-06
  Scenario: The event holds the capability URI
    Then the event of each published version holds its cap_uri

  @ACP-CHAIN-07
  Scenario: The event holds the version
    Then the event of each published version holds its semver

  @ACP-CHAIN-08
  Scenario: The event holds the CID
    Then the event of each published version holds its cid

  @ACP-CHAIN-09
  Scenario: The event holds the hash
    Then the event of each published version holds its sha256

  @ACP-CHAIN-10
  Scenario: A refused publication leaves no event
    Then no event tells of a publication that was refused

  @ACP-MOT-03
  Scenario: Other publications do not change a version
    Then each published version stays as it was, whatever else is published

  @ACP-TERM-03
  Scenario: A name cannot be taken by another author
    Then each other author is refused a name that is taken

  @ACP-PUB-02
  Scenario: Nobody publishes without an author
    Then each publication by nobody is refused

  @ACP-PUB-02
  Scenario: Nobody publishes by a key that is not the author's
    Then each publication by a key that is not the author's is refused

  @ACP-PUB-03
  Scenario: The file itself is not kept on the chain
    Then neither a record nor an event holds the text of a file
