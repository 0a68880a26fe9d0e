Feature: Documents

  Descriptors and agent manifests in files are examined without any call. All files together are one registry.

  @document @ACD-DESC-02
  Scenario: Descriptors in files do not branch by an old type
    Given the documents contain capability descriptors
    Then in the documents, no capability descriptor branches by an old type

  @document @ACD-DESC-03
  Scenario: Descriptors in files have an id
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its capability_id

  @document @ACD-DESC-04
  Scenario: Descriptors in files have a name
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its name

  @document @ACD-DESC-05
  Scenario: Descriptors in files have a version
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its version

  @document @ACD-DESC-06
  Scenario: Descriptors in files have a description
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its description

  @document @ACD-DESC-07
  Scenario: Each kind in files is one of the four
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its kind

  @document @ACD-DESC-08
  Scenario: Each substrate in files is one of the six
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its execution.substrate

  @document @ACD-DESC-09
  Scenario: Runtime and entry point in files are strings
    Given the documents contain runtime and entrypoint
    Then in the documents, each capability descriptor has valid runtime and entrypoint

  @document @ACD-DESC-10
  Scenario: Each mode in files is one of the five
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its invocation.modes

  @document @ACD-DESC-11
  Scenario: Command aliases in files are strings
    Given the documents contain command_aliases
    Then in the documents, each capability descriptor has valid command_aliases

  @document @ACD-DESC-12
  Scenario: Each scope in files is one of the five
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its exposure.scope

  @document @ACD-DESC-13
  Scenario: Channels of exposures in files are strings
    Given the documents contain exposure.channels
    Then in the documents, each capability descriptor has valid exposure.channels

  @document @ACD-DESC-14
  Scenario: Descriptors in files have permissions
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor has its permissions

  @document @ACD-DESC-15
  Scenario: Required permissions in files are strings
    Given the documents contain permissions.required
    Then in the documents, each capability descriptor has valid permissions.required

  @document @ACD-DESC-16
  Scenario: The member granted_by_default in files is a boolean
    Given the documents contain granted_by_default
    Then in the documents, each capability descriptor has valid granted_by_default

  @document @ACD-DESC-17
  Scenario: Each danger level in files is one of the four
    Given the documents contain danger_level
    Then in the documents, each capability descriptor has valid danger_level

  @document @ACD-DESC-18
  Scenario: Input schemas in files are JSON Schemas or references
    Given the documents contain inputs.schema
    Then in the documents, each capability descriptor has valid inputs.schema

  @document @ACD-DESC-19
  Scenario: Required inputs in files are strings
    Given the documents contain inputs.required
    Then in the documents, each capability descriptor has valid inputs.required

  @document @ACD-DESC-20
  Scenario: Output schemas in files are JSON Schemas or references
    Given the documents contain outputs.schema
    Then in the documents, each capability descriptor has valid outputs.schema

  @document @ACD-DESC-21
  Scenario: Dependencies in files are ids
    Given the documents contain dependencies.capabilities
    Then in the documents, each capability descriptor has valid dependencies.capabilities

  @document @ACD-DESC-22
  Scenario: Resources in files are strings
    Given the documents contain dependencies.resources
    Then in the documents, each capability descriptor has valid dependencies.resources

  @document @ACD-DESC-23
  Scenario: Hooks in files are lists of ids
    Given the documents contain lifecycle.hooks
    Then in the documents, each capability descriptor has valid lifecycle.hooks

  @document @ACD-DESC-24
  Scenario: Delegation members in files are booleans
    Given the documents contain delegation
    Then in the documents, each capability descriptor has valid delegation

  @document @ACD-DESC-25
  Scenario: Audit members in files are booleans
    Given the documents contain audit
    Then in the documents, each capability descriptor has valid audit

  @document @ACD-DESC-26
  Scenario: Status members in files are booleans
    Given the documents contain status
    Then in the documents, each capability descriptor has valid status

  @document @ACD-DESC-32
  Scenario: Descriptors in files conform to the closed reading
    Given the documents contain capability descriptors
    Then in the documents, each capability descriptor conforms to the closed reading

  @document @ACD-DESC-33
  Scenario: Descriptors in files name registered capabilities
    Given the documents contain several capability descriptors
    Then in the documents, each capability that a descriptor names is registered

  @document @ACD-DESC-34
  Scenario: Dependencies and hooks in files have no cycle
    Given the documents contain several capability descriptors
    Then in the documents, neither dependencies nor hooks form a cycle

  @document @ACD-DESC-35
  Scenario: Capabilities in files that create sub-agents may be delegated
    Given the documents contain delegation
    Then in the documents, each capability that creates sub-agents may be delegated

  @document @ACD-DESC-36
  Scenario: Aliases in files belong to one command each
    Given the documents contain several capability descriptors
    Then in the documents, each command alias belongs to one capability with the mode command

  @document @ACD-DESC-37
  Scenario: Descriptors in files have the usual forms
    Given the documents contain capability descriptors
    Then in the documents, ids, versions, modes and required inputs have the usual forms

  @document @ACD-DESC-38
  Scenario: An id and a version in files identify one capability
    Given the documents contain several capability descriptors
    Then in the documents, no two capability descriptors of one id and version differ

  @document @ACD-MAN-01
  Scenario: The list of a manifest in a file names registered capabilities
    Given the documents contain agent manifests beside descriptors
    Then in the documents, each id in the list of an agent manifest is registered

  @document @ACD-MAN-02
  Scenario: Channels in files define no behaviour
    Given the documents contain channels
    Then in the documents, no channel defines behaviour

  @document @ACD-MAN-03
  Scenario: Manifests in files have an agent_id
    Given the documents contain agent manifests
    Then in the documents, each agent manifest has its agent_id

  @document @ACD-MAN-04
  Scenario: Manifests in files have a name
    Given the documents contain agent manifests
    Then in the documents, each agent manifest has its name

  @document @ACD-MAN-05
  Scenario: Manifests in files have a version
    Given the documents contain agent manifests
    Then in the documents, each agent manifest has its version

  @document @ACD-MAN-06
  Scenario: Manifests in files say where the registry is
    Given the documents contain agent manifests
    Then in the documents, each agent manifest has its capabilities.registry

  @document @ACD-MAN-07
  Scenario: Manifests in files list capabilities
    Given the documents contain agent manifests
    Then in the documents, each agent manifest has its capabilities.list

  @document @ACD-MAN-08
  Scenario: Channels in files have an id
    Given the documents contain channel_id of each channel
    Then in the documents, each agent manifest has valid channel_id of each channel

  @document @ACD-MAN-09
  Scenario: Channels in files list capabilities
    Given the documents contain capabilities of each channel
    Then in the documents, each agent manifest has valid capabilities of each channel

  @document @ACD-MAN-10
  Scenario: Policies in files are strings
    Given the documents contain policies
    Then in the documents, each agent manifest has valid policies

  @document @ACD-MAN-11
  Scenario: Channels in files expose registered capabilities
    Given the documents contain channels
    Then in the documents, each capability that a channel exposes is registered

  @document @ACD-MAN-12
  Scenario: Manifests in files conform to the closed reading
    Given the documents contain agent manifests
    Then in the documents, each agent manifest conforms to the closed reading

  @document @ACD-SDK1-07
  Scenario: Manifests in files have one registry
    Given the documents contain agent manifests
    Then in the documents, no agent manifest has a registry of an old type

  @document @ACD-SDK4-04
  Scenario: No channel in files exposes a shell
    Given the documents contain shell capabilities
    Then in the documents, no channel exposes a shell capability

  @document @ACD-SDK4-05
  Scenario: No shell in files is shown to people
    Given the documents contain shell capabilities
    Then in the documents, no shell capability is exposed to people

  @document @ACD-SDK5-01
  Scenario: Channels in files declare a capability
    Given the documents contain channels
    Then in the documents, each channel declares a capability

  @document @ACD-SDK5-02
  Scenario: Channel adapters in files declare their modes
    Given the documents contain channel adapters
    Then in the documents, each channel adapter declares its modes

  @document @ACD-SDK5-04
  Scenario: Channels in files list no capability that excludes them
    Given the documents contain channels that list described capabilities
    Then in the documents, no channel exposes a capability that excludes it

  @document @ACD-EX1-01
  Scenario: The exemplar in a file lists cap.identify
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.identify

  @document @ACD-EX1-02
  Scenario: The exemplar in a file lists cap.send_umf
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.send_umf

  @document @ACD-EX1-03
  Scenario: The exemplar in a file lists cap.cli.adapter
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.cli.adapter

  @document @ACD-EX1-04
  Scenario: The exemplar in a file lists cap.capability.list
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.capability.list

  @document @ACD-EX1-05
  Scenario: The exemplar in a file lists cap.capability.create
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.capability.create

  @document @ACD-EX1-06
  Scenario: The exemplar in a file lists cap.subagent.create
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.subagent.create

  @document @ACD-EX1-07
  Scenario: The exemplar in a file lists cap.command.bind
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.command.bind

  @document @ACD-EX1-08
  Scenario: The exemplar in a file lists cap.hook.create
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar lists cap.hook.create

  @document @ACD-EX2-01
  Scenario: The exemplar in a file includes a CLI adapter
    Given the documents contain the manifest of the exemplar
    Then in the documents, the exemplar includes a CLI adapter
