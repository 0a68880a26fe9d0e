Feature: Documents

  Files with manifests, and documents of upper layers that refer to
  capabilities, are examined without any call.

  @document @CAP-CAP-01
  Scenario: A Capability agrees with its manifest
    Given the documents hold capabilities
    Then in them each capability has its four members and agrees with its manifest

  @document @CAP-CAP-02
  Scenario: Manifests in files have different pairs
    Given the documents hold manifests
    Then in them no two manifests have the same pair of id and version

  @document @CAP-CAP-03
  Scenario: Versions in files are semantic versions
    Given the documents hold manifests
    Then in them each manifest has a semantic version

  @document @CAP-CAP-04
  Scenario: Kinds in files are tool or skill
    Given the documents hold manifests
    Then in them each manifest is of the kind tool or skill

  @document @CAP-MAN-01
  Scenario: Manifests in files have the printed members
    Given the documents hold manifests
    Then in them each manifest has members of the printed types

  @document @CAP-MAN-02
  Scenario: Manifests in files have an input schema
    Given the documents hold manifests
    Then in them each manifest has an input schema that is a JSON Schema

  @document @CAP-MAN-03
  Scenario: Manifests in files have an output schema
    Given the documents hold manifests
    Then in them each manifest has an output schema

  @document @CAP-MAN-04
  Scenario: Skills in files have the members that their Skills system supports
    Given the documents hold skills
    Then in them each skill has the members that its Skills system supports

  @document @CAP-GRAN-01
  Scenario: Tools in files have neither prompt template nor resources
    Given the documents hold tools
    Then in them each tool has neither prompt template nor resources

  @document @CAP-GRAN-05
  Scenario: Skills in files can be reduced to their parts
    Given the documents hold skills
    Then in them each skill can be reduced to tools, prompt instructions, resources and permissions

  @document @CAP-MCP-03
  Scenario: Manifests in files contain no transport details
    Given the documents hold manifests
    Then in them no manifest contains transport details

  @document @CAP-REF-02
  Scenario: Upper layers refer to capabilities by CapabilityRef
    Given the documents hold references to capabilities
    Then in them each capability is named by a CapabilityRef

  @document @CAP-REF-04
  Scenario: Upper layers name capabilities only by CapabilityRef
    Given the documents hold names of capabilities
    Then in them every capability is named only by a CapabilityRef

  @document @CAP-REF-03
  Scenario: Tasks and references do not depend on a transport
    Given the documents hold tasks or references
    Then in them no document of HACP depends on a transport

  @document @CAP-IL-02
  Scenario: Documents of AAP do not depend on a transport
    Given the documents hold documents of AAP
    Then in them no document of AAP depends on a transport

  @document @CAP-IL-03
  Scenario: Documents of HACP do not call tools
    Given the documents hold documents of HACP
    Then in them no document of HACP calls a tool
