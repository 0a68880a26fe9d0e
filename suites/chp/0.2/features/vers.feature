Feature: Versions

  @CHP-VERS-04 @live @todo
  Scenario: The host refuses a request for a version that it does not list, with status 400 and version_unsupported

  @CHP-VERS-05 @live @todo
  Scenario: A request without a selected version is processed

  @CHP-VERS-06 @live @todo
  Scenario: A request for a listed version is processed

  @CHP-VERS-08 @live @todo
  Scenario: A range that no version of the capability satisfies is denied with capability_version_unsupported

  @CHP-VERS-09 @live @todo
  Scenario: An invocation without a range is resolved by its version, or by the only one that is registered

  @CHP-VERS-10 @live @todo
  Scenario: The supported versions, if present, are a list of wire versions

  @CHP-VERS-10 @document @todo
  Scenario: The supported versions, if present, are a list of wire versions, in a file
