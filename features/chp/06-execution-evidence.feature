Feature: Execution Evidence

  Every execution attempt leaves structured records of what happened.

  @CHP-6-01
  Scenario: Every attempt leaves evidence
    When everything that can be is invoked
    Then some capability came back with success
    And each attempt leaves evidence

  @CHP-6-02
  Scenario: The evidence that a result names exists
    When everything that can be is invoked
    Then the evidence that each result names is there

  @CHP-6-03
  Scenario: An event has an id
    When everything that can be is invoked
    Then each event has its event_id

  @CHP-6-04
  Scenario: An event has a type
    When everything that can be is invoked
    Then each event has its event_type

  @CHP-6-05
  Scenario: An event has the id of its invocation
    When everything that can be is invoked
    Then each event has its invocation_id
    And each event is of an invocation that was sent

  @CHP-6-06
  Scenario: An event has the id of its capability
    When everything that can be is invoked
    Then each event has its capability_id
    And each event is about the capability that was asked for

  @CHP-6-07
  Scenario: An event has the id of its host
    When everything that can be is invoked
    Then each event has its host_id
    And each event is of the host that was asked

  @CHP-6-08
  Scenario: An event has a time
    When everything that can be is invoked
    Then each event has its timestamp

  @CHP-6-09
  Scenario: An event has its place in the sequence
    When everything that can be is invoked
    Then each event has its sequence

  @CHP-6-10
  Scenario: An event has a payload
    When everything that can be is invoked
    Then each event has its payload

  @CHP-6-11
  Scenario: An event says whether it was redacted
    When everything that can be is invoked
    Then each event has its redacted

  @CHP-6-12
  Scenario: An event has assurance metadata
    When everything that can be is invoked
    Then each event has its assurance

  @CHP-6-13
  Scenario: An event stands in the evidence once
    When everything that can be is invoked
    Then each event stands there once

  @CHP-6-14
  Scenario: Events of a capability's own are structured and correlated
    When everything that can be is invoked
    Then the events of its own are structured and correlated

  @CHP-6-16
  Scenario: Stored evidence stays as it is
    When the evidence is replayed again after other invocations
    Then what was there before is there unchanged

  @CHP-6-16
  Scenario: Stored evidence stays as it is however often it is replayed
    When the same evidence is replayed ten times
    Then each of the ten shows it unchanged

  @CHP-6-18
  Scenario: An event keeps to the closed reading
    When everything that can be is invoked
    And each of the events that were seen is looked at
    Then it keeps to the closed reading of evidence-event
