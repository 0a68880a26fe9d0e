Feature: Documents

  Descriptors, envelopes, queries, results and logs of evidence in files are
  examined without any call. A log may be of any length.

  @document @CHP-3-01
  Scenario: Descriptors in files have an id
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its id

  @document @CHP-3-02
  Scenario: Descriptors in files have a version
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its version

  @document @CHP-3-03
  Scenario: Descriptors in files have a description
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its description

  @document @CHP-3-04
  Scenario: Descriptors in files list their modes
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its modes

  @document @CHP-3-05
  Scenario: Descriptors in files have the mode sync
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has sync among its modes

  @document @CHP-3-06
  Scenario: Descriptors in files list the types of their events
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its emits

  @document @CHP-3-07
  Scenario: Descriptors in files have the recommended members
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has the recommended members

  @document @CHP-3-08
  Scenario: Input schemas in files are JSON Schemas
    Given the documents contain input_schema
    Then in the documents, each input_schema is a JSON Schema

  @document @CHP-3-09
  Scenario: Output schemas in files are JSON Schemas
    Given the documents contain output_schema
    Then in the documents, each output_schema is a JSON Schema

  @document @CHP-3-10
  Scenario: Invariants in files are a list of declarations
    Given the documents contain invariants
    Then in the documents, each invariants of a capability descriptor has its type

  @document @CHP-3-11
  Scenario: Risks in files are one of the four words
    Given the documents contain risk
    Then in the documents, each risk of a capability descriptor has its type

  @document @CHP-3-12
  Scenario: Assurance in files is an object
    Given the documents contain assurance
    Then in the documents, each assurance of a capability descriptor has its type

  @document @CHP-3-13
  Scenario: Owner, tags and metadata in files have their types
    Given the documents contain owner, tags or metadata
    Then in the documents, the owner, tags and metadata of each capability descriptor have their types

  @document @CHP-3-14
  Scenario: URIs in files consist of id and version
    Given the documents contain capability URIs
    Then in the documents, each capability URI consists of id and version

  @document @CHP-3-15
  Scenario: A pair of id and version in files identifies one capability
    Given the documents contain capability descriptors
    Then in the documents, each pair of id and version identifies one capability

  @document @CHP-3-19
  Scenario: Descriptors in files conform to the closed reading
    Given the documents contain capability descriptors
    Then in the documents, each CapabilityDescriptor conforms to the closed reading

  @document @CHP-4-01
  Scenario: Host descriptors in files have an id
    Given the documents contain host descriptors
    Then in the documents, each host descriptor has its id

  @document @CHP-4-02
  Scenario: Host descriptors in files have a version
    Given the documents contain host descriptors
    Then in the documents, each host descriptor has its version

  @document @CHP-4-03
  Scenario: Host descriptors in files have the protocol version
    Given the documents contain host descriptors
    Then in the documents, each host descriptor has a protocol_version that is 0.1 or extends it

  @document @CHP-4-04
  Scenario: Host descriptors in files state their kind
    Given the documents contain host descriptors
    Then in the documents, each host descriptor has its kind

  @document @CHP-4-05
  Scenario: Host descriptors in files contain capability descriptors
    Given the documents contain host descriptors
    Then in the documents, each host descriptor has its capabilities

  @document @CHP-4-06
  Scenario: Host descriptors in files describe the evidence store
    Given the documents contain host descriptors
    Then in the documents, each host descriptor has its evidence

  @document @CHP-4-07
  Scenario: Host descriptors in files state whether evidence is append-only
    Given the documents contain host descriptors
    Then in the documents, the evidence metadata state whether the store is append-only

  @document @CHP-4-10
  Scenario: Host descriptors in files declare support for 0.1
    Given the documents contain host descriptors
    Then in the documents, the host declares that it supports 0.1

  @document @CHP-4-11
  Scenario: Host descriptors in files conform to the closed reading
    Given the documents contain host descriptors
    Then in the documents, each HostDescriptor conforms to the closed reading

  @document @CHP-5-02
  Scenario: Envelopes have the id of the invocation
    Given the documents contain envelopes
    Then in the documents, each envelope has its invocation_id

  @document @CHP-5-03
  Scenario: Envelopes have the id of the capability
    Given the documents contain envelopes
    Then in the documents, each envelope has its capability_id

  @document @CHP-5-04
  Scenario: Envelopes have the mode
    Given the documents contain envelopes
    Then in the documents, each envelope has its mode

  @document @CHP-5-05
  Scenario: Envelopes have a correlation context
    Given the documents contain envelopes
    Then in the documents, each envelope has its correlation

  @document @CHP-5-06
  Scenario: Envelopes have the subject
    Given the documents contain envelopes
    Then in the documents, each envelope has its subject

  @document @CHP-5-07
  Scenario: Envelopes have a payload
    Given the documents contain envelopes
    Then in the documents, each envelope has its payload

  @document @CHP-5-08
  Scenario: Envelopes have the time of the request
    Given the documents contain envelopes
    Then in the documents, each envelope has its requested_at

  @document @CHP-5-13
  Scenario: Envelopes conform to the closed reading
    Given the documents contain envelopes
    Then in the documents, each InvocationEnvelope conforms to the closed reading

  @document @CHP-6-03
  Scenario: Events in files have an id
    Given the documents contain events that the host writes
    Then in the documents, each event has its event_id

  @document @CHP-6-04
  Scenario: Events in files have a type
    Given the documents contain events that the host writes
    Then in the documents, each event has its event_type

  @document @CHP-6-05
  Scenario: Events in files have the id of their invocation
    Given the documents contain events that the host writes
    Then in the documents, each event has its invocation_id

  @document @CHP-6-06
  Scenario: Events in files have the id of their capability
    Given the documents contain events that the host writes
    Then in the documents, each event has its capability_id

  @document @CHP-6-07
  Scenario: Events in files have the id of their host
    Given the documents contain events that the host writes
    Then in the documents, each event has its host_id

  @document @CHP-6-08
  Scenario: Events in files have their time
    Given the documents contain events that the host writes
    Then in the documents, each event has its timestamp

  @document @CHP-6-09
  Scenario: Events in files have their place in the sequence
    Given the documents contain events that the host writes
    Then in the documents, each event has its sequence

  @document @CHP-6-10
  Scenario: Events in files have a payload
    Given the documents contain events that the host writes
    Then in the documents, each event has its payload

  @document @CHP-6-11
  Scenario: Events in files state whether they were redacted
    Given the documents contain events that the host writes
    Then in the documents, each event has its redacted

  @document @CHP-6-12
  Scenario: Events in files have assurance metadata
    Given the documents contain events that the host writes
    Then in the documents, each event has its assurance

  @document @CHP-6-13
  Scenario: Events appear once in files
    Given the documents contain histories of events
    Then in the documents, each event appears once in its evidence

  @document @CHP-6-14
  Scenario: Events in files that a capability emits are structured and correlated
    Given the documents contain events that capabilities emit
    Then in the documents, each event that a capability emits is structured and correlated

  @document @CHP-6-18
  Scenario: Events in files conform to the closed reading
    Given the documents contain events that the host writes
    Then in the documents, each ExecutionEvidence conforms to the closed reading

  @document @CHP-7-03
  Scenario: Events in files have the correlation context
    Given the documents contain events that the host writes
    Then in the documents, each event has its correlation

  @document @CHP-7-04
  Scenario: Results in files have the correlation context
    Given the documents contain invocation results
    Then in the documents, each invocation result has its correlation

  @document @CHP-7-08
  Scenario: Correlation contexts in files conform to the closed reading
    Given the documents contain correlation contexts
    Then in the documents, each CorrelationContext conforms to the closed reading

  @document @CHP-8-01
  Scenario: Results in files have an outcome
    Given the documents contain invocation results
    Then in the documents, each invocation result has its outcome

  @document @CHP-8-02
  Scenario: Results in files have success true only with the outcome success
    Given the documents contain invocation results
    Then in the documents, each success of an invocation result has its type

  @document @CHP-8-07
  Scenario: The host does not execute skipped invocations in files
    Given the documents contain skipped invocations
    Then in the documents, each execution_skipped has no execution_started before it

  @document @CHP-8-08
  Scenario: Successes in files began before they ended
    Given the documents contain completed invocations
    Then in the documents, each execution_completed has its execution_started before it

  @document @CHP-8-09
  Scenario: Failures in files began before they ended
    Given the documents contain failed invocations
    Then in the documents, each execution_failed has its execution_started before it

  @document @CHP-8-13
  Scenario: Results and events in files agree
    Given the documents contain invocations that ended
    Then in the documents, results agree with their events, which end once

  @document @CHP-9-08
  Scenario: Denials in files have a code
    Given the documents contain denial records
    Then in the documents, each denial record has its code

  @document @CHP-9-09
  Scenario: Denials in files have a message
    Given the documents contain denial records
    Then in the documents, each denial record has its message

  @document @CHP-9-10
  Scenario: Denials in files name an invariant by its id
    Given the documents contain denial records
    Then in the documents, each invariant_id of a denial record has its type

  @document @CHP-9-11
  Scenario: Denials in files state whether a retry makes sense
    Given the documents contain denial records
    Then in the documents, each denial record has its retryable

  @document @CHP-9-12
  Scenario: Denials in files have details
    Given the documents contain denial records
    Then in the documents, each denial record has its details

  @document @CHP-10-02
  Scenario: Replay results in files contain events of one correlation
    Given the documents contain replay results
    Then in the documents, each replay result contains only events of its correlation

  @document @CHP-10-06
  Scenario: Replay results in files have the correlation id
    Given the documents contain replay results
    Then in the documents, each replay result has its correlation_id

  @document @CHP-10-07
  Scenario: Replay results in files have a list of events
    Given the documents contain replay results
    Then in the documents, each replay result has its events

  @document @CHP-10-08
  Scenario: Replay results in files have the number of their events
    Given the documents contain replay results
    Then in the documents, each replay result has its event_count

  @document @CHP-10-08
  Scenario: Replay results in files count their events
    Given the documents contain replay results
    Then in the documents, each replay result states the number of its events

  @document @CHP-10-09
  Scenario: Replay results in files have their time
    Given the documents contain replay results
    Then in the documents, each replay result has its replayed_at

  @document @CHP-10-10
  Scenario: Events in files are in the order of their sequence
    Given the documents contain histories of events
    Then in the documents, the events of each correlation are in the order of their sequence

  @document @CHP-10-11
  Scenario: Replay queries conform to the closed reading
    Given the documents contain replay queries
    Then in the documents, each ReplayQuery conforms to the closed reading

  @document @CHP-10-12
  Scenario: Replay results in files conform to the closed reading
    Given the documents contain replay results
    Then in the documents, each ReplayResult conforms to the closed reading

  @document @CHP-10-13
  Scenario: Replay queries have their members
    Given the documents contain replay queries
    Then in the documents, each replay query has its correlation_id
