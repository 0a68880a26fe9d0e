Feature: FR-SDK-1, unified capability registry

  The SDK has one registry, which callers can change and query.

  @ACD-SDK1-01
  Scenario: Every list is a view of the registry
    Then each list is a view of the registry

  @ACD-SDK1-08
  Scenario: Descriptors are created
    Then each created descriptor is in the registry as it was given

  @ACD-SDK1-09
  Scenario: Descriptors are read
    Then each entry is read as it is listed

  @ACD-SDK1-10
  Scenario: Descriptors are updated
    Then each update replaces the descriptor

  @ACD-SDK1-11
  Scenario: Descriptors are deleted
    Then each deleted descriptor is gone

  @ACD-SDK1-03
  Scenario: Queries by substrate
    Then each query by execution returns the entries that match

  @ACD-SDK1-04
  Scenario: Queries by mode
    Then each query by invocation returns the entries that match

  @ACD-SDK1-05
  Scenario: Queries by scope
    Then each query by exposure returns the entries that match

  @ACD-SDK1-06
  Scenario: Queries by state
    Then each query by enabled returns the entries that match

  @ACD-SDK1-07
  Scenario: There are no other registries
    Then the manifest has no registry of an old type

  @ACD-SDK1-12
  Scenario: Queries combine several filters
    Then each query by several returns the entries that match
