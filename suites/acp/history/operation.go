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
