Feature: Documents

  Files with manifests, and documents of upper layers that refer to
  capabilities, are examined without any call.

  @document @CAP-CAP-01
  Scenario: A Capability agrees with its manifest
    Given the documents contain capabilities
    Then in the documents, each capability has its four members and agrees with its manifest

  @document @CAP-CAP-02
  Scenario: Manifests in files have different pairs
    Given the documents contain manifests
    Then in the documents, no two manifests have the same pair of id and version

  @document @CAP-CAP-03
  Scenario: Versions in files are semantic versions
    Given the documents contain manifests
    Then in the documents, each manifest has a semantic version

  @document @CAP-CAP-04
  Scenario: Kinds in files are tool or skill
    Given the documents contain manifests
    Then in the documents, each manifest is of the kind tool or skill

  @document @CAP-MAN-01
  Scenario: Manifests in files have the printed members
    Given the documents contain manifests
    Then in the documents, each manifest has members of the printed types

  @document @CAP-MAN-02
  Scenario: Manifests in files have an input schema
    Given the documents contain manifests
    Then in the documents, each manifest has an input schema that is a JSON Schema

  @document @CAP-MAN-03
  Scenario: Manifests in files have an output schema
    Given the documents contain manifests
    Then in the documents, each manifest has an output schema

  @document @CAP-MAN-04
  Scenario: Skills in files have the members that their Skills system supports
    Given the documents contain skills
    Then in the documents, each skill has the members that its Skills system supports

  @document @CAP-GRAN-01
  Scenario: Tools in files have neither prompt template nor resources
    Given the documents contain tools
    Then in the documents, each tool has neither prompt template nor resources

  @document @CAP-GRAN-05
  Scenario: Skills in files can be reduced to their parts
    Given the documents contain skills
    Then in the documents, each skill can be reduced to tools, prompt instructions, resources and permissions

  @document @CAP-MCP-03
  Scenario: Manifests in files contain no transport details
    Given the documents contain manifests
    Then in the documents, no manifest contains transport details

  @document @CAP-REF-02
  Scenario: Upper layers refer to capabilities by CapabilityRef
    Given the documents contain references to capabilities
    Then in the documents, each capability is named by a CapabilityRef

  @document @CAP-REF-04
  Scenario: Upper layers name capabilities only by CapabilityRef
    Given the documents contain names of capabilities
    Then in the documents, every capability is named only by a CapabilityRef

  @document @CAP-REF-03
  Scenario: Tasks and references do not depend on a transport
    Given the documents contain tasks or references
    Then in the documents, no document of HACP depends on a transport

  @document @CAP-IL-02
  Scenario: Documents of AAP do not depend on a transport
    Given the documents contain documents of AAP
    Then in the documents, no document of AAP depends on a transport

  @document @CAP-IL-03
  Scenario: Documents of HACP do not call tools
    Given the documents contain documents of HACP
    Then in the documents, no document of HACP calls a tool
