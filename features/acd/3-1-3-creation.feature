Feature: FR-SDK-3, creation of capabilities

  Capabilities are created at runtime, some of them only with a language model.

  @ACD-SDK3-01
  Scenario: What is created is there at once
    Given the registry shows its entries
    And a capability runs
    Then what was created is used at once

  @ACD-SDK3-02 @exclusive
  Scenario: A capability creates capabilities
    Given the registry shows its entries
    And a capability runs
    Then there is a capability create that does so

  @ACD-SDK3-03 @exclusive
  Scenario: Composites need a language model
    Given the registry shows its entries
    Then no composite is created without a language model

  @ACD-SDK3-04 @exclusive
  Scenario: A capability enables capabilities
    Given the registry shows its entries
    And a capability runs
    Then there is a capability enable that does so

  @ACD-SDK3-05 @exclusive
  Scenario: A capability binds capabilities
    Given the registry shows its entries
    And a capability runs
    Then there is a capability bind that does so

  @ACD-SDK3-06 @exclusive
  Scenario: Sub-agents need a language model
    Given the registry shows its entries
    Then no proxy is created without a language model
