Feature: Agent manifest

  The manifest is the index of the registry, and its channels expose capabilities.

  @ACD-MAN-01
  Scenario: The manifest is the index of the registry
    Then the list of each manifest matches the registry

  @ACD-MAN-02
  Scenario: Channels define no behaviour
    Then no channel of the manifest defines behaviour

  @ACD-MAN-03
  Scenario: The manifest has an agent_id
    Then the manifest has its agent_id

  @ACD-MAN-04
  Scenario: The manifest has a name
    Then the manifest has its name

  @ACD-MAN-05
  Scenario: The manifest has a version
    Then the manifest has its version

  @ACD-MAN-06
  Scenario: The manifest says where the registry is
    Then the manifest has its capabilities.registry

  @ACD-MAN-07
  Scenario: The manifest lists capabilities
    Then the manifest has its capabilities.list

  @ACD-MAN-08
  Scenario: Channels have an id
    Then the manifest has valid channel_id of each channel

  @ACD-MAN-09
  Scenario: Channels list capabilities
    Then the manifest has valid capabilities of each channel

  @ACD-MAN-10
  Scenario: Policies are strings
    Then the manifest has valid policies

  @ACD-MAN-11
  Scenario: Channels expose registered capabilities
    Then each capability that a channel exposes is registered
