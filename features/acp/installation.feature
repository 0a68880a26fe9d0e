Feature: Installing, removing and upgrading packages

  A router fetches a package by its CID, keeps it, and lets go of it again. What
  a package does is seen by what reaches the model, never by what is claimed.

  @ACP-ABS-02
  Scenario: An uninstalled package has no effect
    Then nothing of a package that was uninstalled reaches the model, and those beside it act

  @ACP-ABS-02
  Scenario: A router can be asked to uninstall
    Then the subject serves acp.uninstall

  @ACP-ABS-04
  Scenario: An upgraded package acts only in its new version
    Then each upgraded package acts in its newest version alone

  @ACP-ABS-04
  Scenario: Bindings are those of the new version
    Then each tool of an upgraded package is executed by the binding of its newest version

  @ACP-ABS-04
  Scenario: Permissions and schema are those of the new version
    Then verbs and schema of each package are those of its newest version

  @ACP-MOT-01
  Scenario: A package comes, goes and comes back while the router runs
    Then each package that was uninstalled acts once it is installed again

  @ACP-MOT-01
  Scenario: A router can be asked to install
    Then the subject serves acp.install

  @ACP-INST-01
  Scenario: Every package is fetched by its CID
    Then each package that is installed was downloaded by its CID

  @ACP-INST-03
  Scenario: A package that was fetched is kept
    Then each package that was fetched acts when the gateway has it no more

  @ACP-INST-04
  Scenario: Bytes that do not match the CID are not accepted as a package
    Then no package acts whose bytes belong to another CID
