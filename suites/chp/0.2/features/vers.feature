Feature: Versions

  @CHP-VERS-04 @live
  Scenario: The host refuses a request for a version that it does not list, with status 400 and version_unsupported
    Then a request with unknown version is refused

  @CHP-VERS-05 @live
  Scenario: A request without a selected version is processed
    Then a request with none version is processed

  @CHP-VERS-06 @live
  Scenario: A request for a listed version is processed
    Then a request with listed version is processed

  @CHP-VERS-08 @live
  Scenario: A range that no version of the capability satisfies is denied with capability_version_unsupported
    Then each invocation of ranges is denied with capability_version_unsupported

  @CHP-VERS-09 @live
  Scenario: An invocation without a range is resolved by its version, or by the only one that is registered
    Then an unversioned invocation is resolved if there is one version
    And an unversioned invocation is not resolved if there are several versions
    And an invocation of a listed version is resolved

  @CHP-VERS-10 @live
  Scenario: The supported versions, if present, are a list of wire versions
    Then each list of supported versions has wire versions
