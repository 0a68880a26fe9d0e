Feature: FR-SDK-5, channel adapters

  Channels declare the capabilities that they realize and reject the others.

  @ACD-SDK5-01
  Scenario: Channels declare capabilities
    Then each channel declares its capabilities

  @ACD-SDK5-02
  Scenario: Channels declare modes
    Then each channel declares its modes

  @ACD-SDK5-03
  Scenario: Channels reject capabilities whose modes they do not support
    Then each channel rejects capabilities whose modes it does not support

  @ACD-SDK5-04
  Scenario: Channels reject capabilities that name other channels
    Then each channel rejects capabilities that exclude it

  @ACD-SDK5-05
  Scenario: Channels reject capabilities that are not registered
    Then each channel rejects capabilities that are not registered
