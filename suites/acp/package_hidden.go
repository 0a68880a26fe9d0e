package acpsuite

import "slices"

// part is something of a package that has to be in order before what lies in it,
// or what is compared with it, can be seen.
type part struct {
	name string
	hid  []string // the requirements that can't be seen without it
}

// The parts. A requirement that a broken part hides is left open, and not passed.
var (
	partID       = part{"metadata.id", []string{idVersion, idUsualName, idSameName}}
	partVersion  = part{"the version in metadata.id", []string{idUsualName, idSameName}}
	partMetadata = part{"metadata",
		slices.Concat([]string{idURI, idTexts, idNoTriggers, idSignature, idDraft, idScope, idPermissions},
			partID.hid, partPermissions.hid)}
	partPermissions = part{"permissions", slices.Concat(declarationIDs(), []string{idVerbs})}
	partTriggers    = part{"triggers", []string{idTriggerForm, idRegex, idTriggerType, idBothEngines}}
	partModels      = part{"llm_requirements", []string{"ACP-FIELD-08", "ACP-FIELD-09", "ACP-FIELD-10", "ACP-FIELD-11"}}
	partURI         = part{"the $id of the schema", []string{idUsualSchema, idSameName, idFixedURI}}
	partSchema      = part{"the schema", slices.Concat([]string{idSchemaURI, idCRDT, idASM, idCRDTType}, partURI.hid)}
	partTools       = part{"tools",
		slices.Concat([]string{idParameters, idToolTwice, idToolName, idFixedURI, idUnbound, idBoundTool, idPlaceholder,
			idVerbs}, declarationIDs())}
	partBindings = part{"tool_bindings",
		[]string{idUnbound, idBoundTool, idBindingType, "ACP-BIND-12", "ACP-BIND-13", "ACP-BIND-14", "ACP-BIND-15",
			"ACP-BIND-16", "ACP-BIND-17", idPlaceholder, idBoundState}}
)

func declarationIDs() []string {
	var all []string
	for _, d := range declarations {
		all = append(all, d.id)
	}
	return all
}

// hidden leaves open what a part shows nothing of.
func (m *manifest) hidden(p part) {
	for _, id := range p.hid {
		m.Leave(id, "%s of %s is not valid, so this cannot be judged", p.name, m.file.Path)
	}
}

// unreadable leaves every requirement open that a file shows nothing of, because it cannot
// be read or is of another format.
func (r *documentReading) unreadable(path string) {
	for _, rule := range documentRules {
		if rule.ID != idDocument && rule.ID != idSuffix {
			r.Leave(rule.ID, "%s cannot be read as a package", path)
		}
	}
}
