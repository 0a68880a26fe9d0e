package acdsuite

// The requirements on manifests that apply to more than one member.
const (
	idIndex          = "ACD-MAN-01"
	idBehaviour      = "ACD-MAN-02"
	idExposes        = "ACD-MAN-11"
	idClosedManifest = "ACD-MAN-12"
	idRegistries     = "ACD-SDK1-07"
	idRealizes       = "ACD-SDK5-01"
	idExcluded       = "ACD-SDK5-04"
	idCLI            = "ACD-EX2-01"
)

// The requirements on descriptors that apply to more than one member.
const (
	idBranching     = "ACD-DESC-02"
	idClosed        = "ACD-DESC-32"
	idForms         = "ACD-DESC-37"
	idShellChannels = "ACD-SDK4-04"
	idShellHumans   = "ACD-SDK4-05"
	idModes         = "ACD-SDK5-02"
	idDelegation    = "ACD-DESC-35"
)

// The requirements on all descriptors together. They only advise.
const (
	idReferences = "ACD-DESC-33"
	idCycles     = "ACD-DESC-34"
	idAliases    = "ACD-DESC-36"
	idDuplicates = "ACD-DESC-38"
)

// The kinds of documents that a scenario may need, beside the members of descriptors.
const (
	kindDescriptors = "capability descriptors"
	kindSeveral     = "several capability descriptors"
	kindShells      = "shell capabilities"
	kindAdapters    = "channel adapters"
	kindManifests   = "agent manifests"
	kindIndexes     = "agent manifests beside descriptors"
	kindChannels    = "channels"
	kindExposed     = "channels that list described capabilities"
	kindExemplar    = "the manifest of the exemplar"
)

// minimum is the set of FR-EX-1, by requirement.
var minimum = []struct{ requirement, id string }{
	{"ACD-EX1-01", "cap.identify"}, {"ACD-EX1-02", "cap.send_umf"}, {"ACD-EX1-03", capCLI},
	{"ACD-EX1-04", "cap.capability.list"},
	{"ACD-EX1-05", "cap.capability.create"}, {"ACD-EX1-06", "cap.subagent.create"}, {"ACD-EX1-07", "cap.command.bind"},
	{"ACD-EX1-08", "cap.hook.create"},
}

// capCLI is the adapter of the channel channelCLI.
const (
	capCLI     = "cap.cli.adapter"
	channelCLI = "cli"
)
