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

// OpServe is the operation by which the suite makes a package available at the gateway that it plays.
// The entry contains the package as the suite knows it (sample.Package), not the file.
const OpServe = "serve"

// OpDiscovery is the operation of the entry that contains the result of discovery: see Discovery.
const OpDiscovery = "meet"

// Discovery is the result of discovery.
type Discovery struct {
	Actors     []string       `json:"actors"`             // that the subject plays
	Supports   []string       `json:"supports,omitempty"` // that its adapter declares
	Configured bool           `json:"follows,omitempty"`  // the subject accepted acp.configure
	Signature  string         `json:"signature,omitempty"`
	Notes      []string       `json:"notes,omitempty"`
	Known      []KnownVersion `json:"known,omitempty"`
}

// KnownVersion is a version that an index lists according to the target file.
type KnownVersion struct {
	URI string `json:"cap_uri"`
	CID string `json:"cid,omitempty"`
}

// The conclusions of the discovery of a router.
const (
	Installs = "package-installed"      // the router installs a package of the harness
	Reaches  = "message-to-the-package" // a message reaches that package
)
