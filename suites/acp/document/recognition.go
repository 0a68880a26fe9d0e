package acpdocument

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/document"
)

// suffix is the end of the name of a package file.
const suffix = ".acp.yaml"

// sections are the top-level keys of a package.
var sections = []string{"metadata", "schema", "prompt", "tools", "tool_bindings"}

// Recognises reports whether a file belongs to ACP: by its name, whatever it contains, or by its
// content.
func Recognises(file *document.File) bool {
	if hasPackageName(file.Path) {
		return true
	}
	return slices.ContainsFunc(file.Roots, looksLikePackage)
}

func hasPackageName(path string) bool { return strings.HasSuffix(strings.ToLower(path), suffix) }

// looksLikePackage reports whether a document is a package: it has a capability URI as its id, or
// sections that no other format has together.
func looksLikePackage(root *document.Node) bool {
	if !root.Is(document.Object) || root.Has("apiVersion", "kind") {
		return false
	}
	metadata := root.Get("metadata")
	if strings.HasPrefix(metadata.Get("id").Str(), identifier.CapabilityPrefix) {
		return true
	}
	bound := root.Get("tool_bindings").Is(document.Object)
	return bound && root.Has("tools", "schema") ||
		metadata.Is(document.Object) && root.Get("schema").Is(document.String) && root.Has("prompt", "tools", "tool_bindings")
}

// Foreign returns the format of a file that is named like a package, or like a file of the later format
// (cap.yaml), if all its documents have another format; "" if one of them may be a package.
func Foreign(file *document.File) string {
	later := laterName.MatchString(filepath.Base(file.Path))
	if !hasPackageName(file.Path) && !later || len(file.Roots) == 0 {
		return ""
	}
	var format string
	for _, root := range file.Roots {
		format = describeForeign(root)
		if format == "" || !root.Is(document.Object) || later && !hasPackageName(file.Path) && !root.Has(laterMembers...) {
			return ""
		}
	}
	return format
}

// The later "cap" format of the same project is recognised by the name of its files and by its top-level
// members.
var (
	laterName    = regexp.MustCompile(`(?i)^(.*\.)?cap\.ya?ml$`)
	laterMembers = []string{"authorDID", "idName", "core"}
)

// describeForeign describes the other format of a document, "" if the document may be a package.
func describeForeign(root *document.Node) string {
	core := root.Get("core")
	hasSection := root.Has(sections...)
	switch {
	case strings.HasPrefix(root.Get("metadata", "id").Str(), "did:nuwa:cap"):
		return ""
	case core.Is(document.Object) && core.Has("prompt", "model", "mcpServers"),
		root.Has("authorDID", "idName") && !root.Has("schema", "tools"):
		return `the later "cap" format of the same project (core, authorDID), which is no ACP package`
	case root.Has("apiVersion", "kind"):
		return "another format, with apiVersion or kind at its top level, and not an ACP package"
	case !hasSection:
		return "another format and not an ACP package: " +
			"it has none of the sections metadata, schema, prompt, tools and tool_bindings"
	}
	return ""
}

// suggestName returns a suitable name for the file of a package.
func suggestName(path string, root *document.Node) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	base = strings.TrimSuffix(base, ".acp")
	if id, err := identifier.ParseCapability(root.Get("metadata", "id").Str()); err == nil && base == "" {
		base = id.Name
	}
	return base + suffix
}
