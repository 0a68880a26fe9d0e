package history

import (
	"strings"
)

// The operations of ACD (suites/acd/ADAPTER.md).
const (
	OpManifest  = "acd.manifest"
	OpList      = "acd.registry.list"
	OpGet       = "acd.registry.get"
	OpCreate    = "acd.registry.create"
	OpUpdate    = "acd.registry.update"
	OpDelete    = "acd.registry.delete"
	OpQuery     = "acd.registry.query"
	OpLegacy    = "acd.legacy"
	OpInvoke    = "acd.invoke"
	OpDeclare   = "acd.channel.declare"
	OpProject   = "acd.channel.project"
	OpDocs      = "acd.docs"
	OpAudit     = "acd.audit"
	OpConfigure = "acd.configure"
	OpExecLog   = "acd.execlog"
	OpCalls     = "acd.llm.calls"

	// OpPath is the path that the text defines for the lists. With the name of a legacy list after
	// it, it is the path of that list. These paths are served only over HTTP.
	OpPath = "acd.path"
	// OpCapabilityList is the operation of CAP that lists.
	OpCapabilityList = "capability.list"
)

// ProbePrefix begins the ids of the copies that the suite registers.
const ProbePrefix = "conformance.probe."

// IsCopyID reports whether the suite registered an id, in this run or in another one.
func IsCopyID(id string) bool { return strings.HasPrefix(id, ProbePrefix) }

// Lists reports whether the answer to an operation is a list, which may be long.
func Lists(operation string) bool { return listMember(operation) != "" }

// listMember returns the member that contains the list of an answer, or "" if the answer is not a list.
func listMember(operation string) string {
	switch {
	case operation == OpAudit:
		return "records"
	case operation == OpExecLog:
		return "entries"
	case strings.HasPrefix(operation, OpPath):
		return "capabilities"
	case operation == OpList, operation == OpQuery, operation == OpLegacy, operation == OpCapabilityList:
		return "capabilities"
	default:
		return ""
	}
}
