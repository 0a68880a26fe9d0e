Feature: FR-SDK-5, channel adapters

  Channels declare what they realize and reject the rest.

  @ACD-SDK5-01
  Scenario: Channels declare capabilities
    Given the agent shows its manifest
    Then each channel declares its capabilities

  @ACD-SDK5-02
  Scenario: Channels declare modes
    Given the agent shows its manifest
    Then each channel declares its modes

  @ACD-SDK5-03
  Scenario: Channels reject what they have no mode for
    Given the agent shows its manifest and its registry
    Then a channel rejects what it has no mode for

  @ACD-SDK5-04
  Scenario: Channels reject what leaves them out
    Given the agent shows its manifest and its registry
    Then a channel rejects what leaves it out

  @ACD-SDK5-05
  Scenario: Channels reject what is not registered
    Given the agent shows its manifest and its registry
    Then a channel rejects what is not registered
