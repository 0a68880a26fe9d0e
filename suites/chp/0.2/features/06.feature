Feature: Evidence event

  @CHP-6-03 @live
  Scenario: An evidence event has an id
    Then each event has its event_id

  @CHP-6-04 @live
  Scenario: An evidence event has a type
    Then each event has its event_type

  @CHP-6-05 @live
  Scenario: An evidence event has the id of the invocation it belongs to
    Then each event has its invocation_id

  @CHP-6-06 @live
  Scenario: An evidence event has the id of the capability it is about
    Then each event has its capability_id

  @CHP-6-07 @live
  Scenario: An evidence event has the id of the host that wrote it
    Then each event has its host_id

  @CHP-6-08 @live
  Scenario: An evidence event has the time at which it was written
    Then each event has its timestamp

  @CHP-6-09 @live
  Scenario: An evidence event has its place in the local sequence of evidence
    Then each event has its sequence

  @CHP-6-10 @live
  Scenario: An evidence event has a payload
    Then each event has its payload

  @CHP-6-11 @live
  Scenario: An evidence event states whether it was redacted
    Then each event has its redacted

  @CHP-6-12 @live
  Scenario: An evidence event has assurance metadata
    Then each event has its assurance
