Feature: Registry

  A registry stores four values of each published version and emits one event for
  it. The harness reads both directly after the publication and again at the end.
  Packages have fresh names and authors, so that no earlier publication interferes.

  @ACP-CHAIN-01
  Scenario: A registry accepts publications
    Then the subject serves acp.publish

  @ACP-CHAIN-01
  Scenario: The registry stores the capability URI
    Then the registry returns the cap_uri of each published version

  @ACP-CHAIN-03
  Scenario: The registry stores the version
    Then the registry returns the semver of each published version

  @ACP-CHAIN-04
  Scenario: The registry stores the CID
    Then the registry returns the cid of each published version

  @ACP-CHAIN-05
  Scenario: The registry stores the hash
    Then the registry returns the sha256 of each published version

  @ACP-CHAIN-02
  Scenario: A publication emits one event
    Then the registry emits one event for each published version

  @ACP-CHAIN-06
  Scenario: The event contains the capability URI
    Then the event of each published version contains its cap_uri

  @ACP-CHAIN-07
  Scenario: The event contains the version
    Then the event of each published version contains its semver

  @ACP-CHAIN-08
  Scenario: The event contains the CID
    Then the event of each published version contains its cid

  @ACP-CHAIN-09
  Scenario: The event contains the hash
    Then the event of each published version contains its sha256

  @ACP-CHAIN-10
  Scenario: A refused publication leaves no event
    Then no event reports a refused publication

  @ACP-MOT-03
  Scenario: Other publications do not change a version
    Then each published version stays unchanged, whatever else is published

  @ACP-TERM-03
  Scenario: Another author cannot use a name that is taken
    Then no other author publishes under a name that is taken

  @ACP-PUB-02
  Scenario: Nobody publishes without an author
    Then each publication without an author is refused

  @ACP-PUB-02
  Scenario: Nobody publishes with a key that is not the author's
    Then each publication with a key that is not the author's is refused

  @ACP-PUB-03
  Scenario: The chain does not store the file itself
    Then neither a record nor an event contains the text of a file
