Feature: Error and Denial Semantics

  An error describes a failure after the boundary, a denial a decision at the boundary.

  @CHP-9-01
  Scenario: Failures contain errors and denials contain denial records
    Then at least one invocation has the outcome success
    And each failure contains an error and each denial a denial record

  @CHP-9-02
  Scenario: The host denies an unknown capability
    Then at least one invocation has the outcome success
    And each invocation of an unknown capability is denied

  @CHP-9-03
  Scenario: The host denies an unsupported mode
    Then each invocation in an unlisted mode is denied

  @CHP-9-04 @when:disabled-capability
  Scenario: The host skips or denies a disabled capability
    Then at least one invocation has the outcome success
    And each invocation of a disabled capability is skipped or denied

  @CHP-9-05 @when:restricted-capability
  Scenario: A missing entitlement is a denial
    Then at least one invocation has the outcome success
    And each invocation without the entitlement is denied

  @CHP-9-07
  Scenario: A denied result contains a denial record
    Then each denied result contains a denial record

  @CHP-9-08
  Scenario: A denial has a stable code
    Then each denial record has its code
    And the same denial has the same code

  @CHP-9-09
  Scenario: A denial has a message
    Then each denial record has its message

  @CHP-9-10
  Scenario: A denial names an invariant by its id
    Then each denial record that names an invariant names it by its id

  @CHP-9-11
  Scenario: A denial states whether a retry makes sense
    Then each denial record has its retryable

  @CHP-9-12
  Scenario: A denial has details
    Then each denial record has its details
