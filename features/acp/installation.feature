Feature: Installing, removing and upgrading packages

  A router fetches a package by its CID, keeps it, and lets go of it again. What
  a package does is seen by what reaches the model, never by what is claimed.

  @ACP-ABS-02
  Scenario: A package that is uninstalled acts no more
    Given a sound package is installed and a message reaches it
    When it is uninstalled
    Then a message that only its trigger matches does not reach it
    And neither does one in the conversation that it was active in
    And another package still acts

  @ACP-ABS-04
  Scenario: A package that is upgraded acts in its new version alone
    Given a sound package is installed and a message reaches it
    When version 1.1.0 of it is installed
    Then a message that only its trigger matches reaches the new version
    And the model is shown nothing of the old version

  @ACP-ABS-04
  Scenario: Triggers are those of the new version
    When a package is upgraded by one with another trigger
    Then a message that only its trigger matches reaches the new version

  @ACP-ABS-04
  Scenario: Bindings are those of the new version
    Then each tool of an upgraded package is executed by the binding of its newest version

  @ACP-ABS-04
  Scenario: Permissions and schema are those of the new version
    Then verbs and schema of each package are those of its newest version

  @ACP-MOT-01
  Scenario: A package comes, goes and comes back while the router runs
    Given a sound package is installed and a message reaches it
    When it is uninstalled
    And it is installed again
    Then a message that only its trigger matches reaches it
    And so does one in the conversation that it was active in

  @ACP-ABS-02
  Scenario: A package that is uninstalled for the second time acts no more either
    Given a sound package is installed and a message reaches it
    When it is uninstalled
    And it is installed for a second time
    And it is uninstalled
    Then a message that only its trigger matches does not reach it

  @ACP-ABS-02
  Scenario: A router can be asked to uninstall
    Then the subject serves acp.uninstall

  @ACP-MOT-01
  Scenario: A router can be asked to install
    Then the subject serves acp.install

  @ACP-INST-01
  Scenario: Every package is fetched by its CID
    Then each package that is installed was downloaded by its CID

  @ACP-INST-03
  Scenario: A package that was fetched is kept
    Given a sound package is installed and a message reaches it
    When the gateway has it no more
    Then a message that only its trigger matches reaches it

  @ACP-INST-04
  Scenario: Bytes that are not those of the CID do not become a package
    Then no package acts whose bytes belong to another CID
