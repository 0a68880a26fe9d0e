Feature: Capability descriptor

  Each entry of the registry is a descriptor. Nine members are required; the others are valid if they are present.

  @ACD-DESC-02
  Scenario: Descriptors do not branch by an old type
    Then no descriptor branches by an old type

  @ACD-DESC-03
  Scenario: Descriptors have an id
    Then each descriptor has its capability_id

  @ACD-DESC-04
  Scenario: Descriptors have a name
    Then each descriptor has its name

  @ACD-DESC-05
  Scenario: Descriptors have a version
    Then each descriptor has its version

  @ACD-DESC-06
  Scenario: Descriptors have a description
    Then each descriptor has its description

  @ACD-DESC-07
  Scenario: Each kind is one of the four
    Then each descriptor has its kind

  @ACD-DESC-08
  Scenario: Each substrate is one of the six
    Then each descriptor has its execution.substrate

  @ACD-DESC-09
  Scenario: Runtime and entry point are strings
    Then each descriptor has valid runtime and entrypoint

  @ACD-DESC-10
  Scenario: Each mode is one of the five
    Then each descriptor has its invocation.modes

  @ACD-DESC-11
  Scenario: Command aliases are strings
    Then each descriptor has valid command_aliases

  @ACD-DESC-12
  Scenario: Each scope is one of the five
    Then each descriptor has its exposure.scope

  @ACD-DESC-13
  Scenario: Channels of an exposure are strings
    Then each descriptor has valid exposure.channels

  @ACD-DESC-14
  Scenario: Descriptors have permissions
    Then each descriptor has its permissions

  @ACD-DESC-15
  Scenario: Required permissions are strings
    Then each descriptor has valid permissions.required

  @ACD-DESC-16
  Scenario: The member granted_by_default is a boolean
    Then each descriptor has valid granted_by_default

  @ACD-DESC-17
  Scenario: Each danger level is one of the four
    Then each descriptor has valid danger_level

  @ACD-DESC-18
  Scenario: Input schemas are JSON Schemas or references
    Then each descriptor has valid inputs.schema

  @ACD-DESC-19
  Scenario: Required inputs are strings
    Then each descriptor has valid inputs.required

  @ACD-DESC-20
  Scenario: Output schemas are JSON Schemas or references
    Then each descriptor has valid outputs.schema

  @ACD-DESC-21
  Scenario: Dependencies are ids
    Then each descriptor has valid dependencies.capabilities

  @ACD-DESC-22
  Scenario: Resources are strings
    Then each descriptor has valid dependencies.resources

  @ACD-DESC-23
  Scenario: Hooks are lists of ids
    Then each descriptor has valid lifecycle.hooks

  @ACD-DESC-24
  Scenario: Delegation members are booleans
    Then each descriptor has valid delegation

  @ACD-DESC-25
  Scenario: Audit members are booleans
    Then each descriptor has valid audit

  @ACD-DESC-26
  Scenario: Status members are booleans
    Then each descriptor has valid status

  @ACD-DESC-27
  Scenario: Capabilities are enabled by default
    Then each capability without status.enabled is enabled

  @ACD-DESC-28
  Scenario: Capabilities are mutable by default
    Then each capability without status.mutable can be changed

  @ACD-DESC-29
  Scenario: Nothing is granted by default
    Then each call of a capability without granted_by_default requires its permissions

  @ACD-DESC-30
  Scenario: Invocations are logged by default
    Then each invocation of a capability without audit.log_invocation is logged

  @ACD-DESC-31
  Scenario: Values are not logged by default
    Then no record contains a value of a capability without audit.log_inputs and audit.log_outputs
