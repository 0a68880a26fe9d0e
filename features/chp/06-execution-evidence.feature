Feature: Execution Evidence

  Every execution attempt emits structured records of what happened.

  @CHP-6-01
  Scenario: Every attempt leaves evidence
    Then at least one invocation has the outcome success
    And each attempt emits evidence

  @CHP-6-02
  Scenario: The evidence that a result names exists
    Then the evidence that each result lists exists

  @CHP-6-03
  Scenario: An event has an id
    Then each event has its event_id

  @CHP-6-04
  Scenario: An event has a type
    Then each event has its event_type

  @CHP-6-05
  Scenario: An event has the id of its invocation
    Then each event has its invocation_id
    And each event belongs to an invocation that was sent

  @CHP-6-06
  Scenario: An event has the id of its capability
    Then each event has its capability_id
    And each event names the requested capability

  @CHP-6-07
  Scenario: An event has the id of its host
    Then each event has its host_id
    And each event names the host

  @CHP-6-08
  Scenario: An event has a time
    Then each event has its timestamp

  @CHP-6-09
  Scenario: An event has its place in the sequence
    Then each event has its sequence

  @CHP-6-10
  Scenario: An event has a payload
    Then each event contains its payload in a replay with payloads

  @CHP-6-11
  Scenario: An event states whether it was redacted
    Then each event has its redacted

  @CHP-6-12
  Scenario: An event has assurance metadata
    Then each event has its assurance

  @CHP-6-13
  Scenario: An event appears once in the evidence
    Then each event appears once

  @CHP-6-14
  Scenario: Events that a capability emits are structured and correlated
    Then the events that capabilities emit are structured and correlated
    And each event that a capability emits contains the id of its invocation

  @CHP-6-16
  Scenario: Stored evidence does not change
    Then each event is the same in each later replay
    And each later replay contains the events of an earlier one

  @CHP-6-18
  Scenario: An event conforms to the closed reading
    Then each evidence-event conforms to its closed reading
