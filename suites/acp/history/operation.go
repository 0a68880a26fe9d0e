package history

// The operations of suites/acp/ADAPTER.md.
const (
	OpConfigure = "acp.configure"
	OpInstall   = "acp.install"
	OpUninstall = "acp.uninstall"
	OpMessage   = "acp.message"
	OpState     = "acp.state"
	OpAuthor    = "acp.author"
	OpPublish   = "acp.publish"
	OpGet       = "acp.get"
	OpEvents    = "acp.events"
	OpResolve   = "resolve_capability"
	OpSearch    = "search_capabilities"
)

// OpServe is what the suite does at the gateway that it plays: it serves a package. What is
// sent is the package as the suite knows it (sample.Package), not the file.
const OpServe = "serve"

// OpMeet stands for the first look at a subject. What is sent is what it found: see Met.
const OpMeet = "meet"

// Met is what the first look at a subject found.
type Met struct {
	Actors    []string `json:"actors"`             // that the subject shows
	Supports  []string `json:"supports,omitempty"` // what its adapter says that it can do
	Follows   bool     `json:"follows,omitempty"`  // it was told where everything is
	Signature string   `json:"signature,omitempty"`
	Notes     []string `json:"notes,omitempty"`
	Known     []Listed `json:"known,omitempty"`
}

// Listed is a version that the target file says an index lists.
type Listed struct {
	URI string `json:"cap_uri"`
	CID string `json:"cid,omitempty"`
}

// The conclusions of the first look at a subject that is a router.
const (
	Installs = "package-installed"      // a package of ours is installed
	Reaches  = "message-to-the-package" // and a message reaches it
)
