Feature: Installing, removing and upgrading packages

  A router fetches a package by its CID, caches it and removes it on request. What
  reaches the model shows what a package does; a claim of the router does not.

  @ACP-ABS-02
  Scenario: An uninstalled package has no effect
    Then nothing of an uninstalled package reaches the model, and other packages still act

  @ACP-ABS-02
  Scenario: A router uninstalls packages
    Then the subject serves acp.uninstall

  @ACP-ABS-04
  Scenario: An upgraded package acts only in its new version
    Then each upgraded package acts only in its newest version

  @ACP-ABS-04
  Scenario: An upgraded package has the bindings of its new version
    Then each tool of an upgraded package is executed by the binding of its newest version

  @ACP-ABS-04
  Scenario: An upgraded package has the permissions and the schema of its new version
    Then the permissions and the schema of each package are those of its newest version

  @ACP-MOT-01
  Scenario: A package is installed, uninstalled and installed again while the router runs
    Then each uninstalled package acts again after it is installed again

  @ACP-MOT-01
  Scenario: A router installs packages
    Then the subject serves acp.install

  @ACP-INST-01
  Scenario: The router downloads every package by its CID
    Then the router downloaded each installed package by its CID

  @ACP-INST-03
  Scenario: The router caches a package that it downloaded
    Then each downloaded package still acts when the gateway no longer has it

  @ACP-INST-04
  Scenario: The router does not accept bytes that do not match the CID
    Then no package whose bytes belong to another CID acts
