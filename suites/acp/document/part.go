package acpdocument

import "slices"

// part is a part of a package that must be valid before its contents, or what is compared with it, can
// be judged.
type part struct {
	name       string
	dependents []string // the requirements that cannot be judged without it
}

// The parts. If a part is broken, the requirements that depend on it are left open, not passed.
var (
	partID       = part{"metadata.id", []string{IDVersion, IDUsualName, IDSameName}}
	partVersion  = part{"the version in metadata.id", []string{IDUsualName, IDSameName}}
	partMetadata = part{"metadata",
		slices.Concat([]string{IDURI, IDTexts, IDNoTriggers, IDSignature, IDDraft, IDScope, IDPermissions},
			partID.dependents, partPermissions.dependents)}
	partPermissions = part{"permissions", slices.Concat(declarationIDs(), []string{IDVerbs})}
	partTriggers    = part{"triggers", []string{IDTriggerForm, IDRegex, IDTriggerType, IDBothEngines}}
	partModels      = part{"llm_requirements", []string{"ACP-FIELD-08", "ACP-FIELD-09", "ACP-FIELD-10", "ACP-FIELD-11"}}
	partURI         = part{"the $id of the schema", []string{IDUsualSchema, IDSameName, IDFixedURI}}
	partSchema      = part{"the schema", slices.Concat([]string{IDSchemaURI, IDCRDT, IDASM, IDCRDTType},
		partURI.dependents)}
	partTools = part{"tools",
		slices.Concat([]string{IDParameters, IDToolTwice, IDToolName, IDFixedURI, IDUnbound, IDBoundTool, IDPlaceholder,
			IDVerbs}, declarationIDs())}
	partBindings = part{"tool_bindings",
		[]string{IDUnbound, IDBoundTool, IDBindingType, "ACP-BIND-12", "ACP-BIND-13", "ACP-BIND-14", "ACP-BIND-15",
			"ACP-BIND-16", "ACP-BIND-17", IDPlaceholder, IDBoundState}}
)
