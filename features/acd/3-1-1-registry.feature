Feature: FR-SDK-1, unified capability registry

  There is one registry, which can be changed and queried.

  @ACD-SDK1-01
  Scenario: Every list is a view
    Given the registry shows its entries
    Then every list is a view of the registry

  @ACD-SDK1-08
  Scenario: Descriptors are created
    Given the registry shows its entries
    Then a descriptor can be created

  @ACD-SDK1-09
  Scenario: Descriptors are read
    Given the registry shows its entries
    Then a descriptor can be read

  @ACD-SDK1-10
  Scenario: Descriptors are updated
    Given the registry shows its entries
    Then a descriptor can be updated

  @ACD-SDK1-11
  Scenario: Descriptors are deleted
    Given the registry shows its entries
    Then a descriptor can be deleted

  @ACD-SDK1-03
  Scenario: Queries by substrate
    Given the registry shows its entries
    Then the registry can be queried by execution

  @ACD-SDK1-04
  Scenario: Queries by mode
    Given the registry shows its entries
    Then the registry can be queried by invocation

  @ACD-SDK1-05
  Scenario: Queries by scope
    Given the registry shows its entries
    Then the registry can be queried by exposure

  @ACD-SDK1-06
  Scenario: Queries by state
    Given the registry shows its entries
    Then the registry can be queried by enabled

  @ACD-SDK1-07
  Scenario: There are no other registries
    Then the manifest has no registry of an old type

  @ACD-SDK1-12
  Scenario: Queries by several filters
    Given the registry shows its entries
    Then filters that are given together all hold
