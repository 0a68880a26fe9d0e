package history

// The stimuli of the suite, as they stand in the record. The names are the same in every
// run.
const (
	Described  = "descriptions-again"      // the manifest and the registry once more
	Declared   = "channel-declarations"    // what each channel declares
	BothAgain  = "both-protocols-again"    // settles a doubt: the lists of CAP and of ACD
	NamesAgain = "names-and-entries-again" // settles a doubt: who names an id, and the registry
)

// The parameters of stimuli (Entry.About).
const (
	AboutID      = "id"      // that is looked for
	AboutBy      = "by"      // who names it: see ByManifest
	AboutChannel = "channel" // whose declaration it is
	AboutOf      = "of"      // the entry that has a hook
)

// Who names an id.
const (
	ByManifest    = "manifest"
	ByDeclaration = "declaration"
	ByHook        = "hook"
)
