Feature: FR-SDK-1, unified capability registry

  The SDK has one registry, which callers can change and query.

  @ACD-SDK1-01
  Scenario: Every list is a view of the registry
    Then each list is a view of the registry

  @ACD-SDK1-08
  Scenario: Descriptors are created
    Then what is created is in the registry as it was given

  @ACD-SDK1-09
  Scenario: Descriptors are read
    Then each entry reads as it is listed

  @ACD-SDK1-10
  Scenario: Descriptors are updated
    Then what is updated is as the update says

  @ACD-SDK1-11
  Scenario: Descriptors are deleted
    Then what is deleted is gone

  @ACD-SDK1-03
  Scenario: Queries by substrate
    Then each query by execution gives the entries that fit

  @ACD-SDK1-04
  Scenario: Queries by mode
    Then each query by invocation gives the entries that fit

  @ACD-SDK1-05
  Scenario: Queries by scope
    Then each query by exposure gives the entries that fit

  @ACD-SDK1-06
  Scenario: Queries by state
    Then each query by enabled gives the entries that fit

  @ACD-SDK1-07
  Scenario: There are no other registries
    Then the manifest has no registry of an old type

  @ACD-SDK1-12
  Scenario: Queries combine several filters
    Then each query by several gives the entries that fit
