package acpdocument

import (
	"regexp"
	"slices"
	"unicode"
)

// propertyEscape matches an escape for a Unicode property: p or P, an optional name before an equals
// sign, and the value or the property alone. It also matches an escaped backslash, so that it begins no
// escape.
var propertyEscape = regexp.MustCompile(`\\\\|\\([pP])\{(?:([A-Za-z_]+)=)?([A-Za-z0-9_]+)\}`)

// shortScript matches the code of a script, such as Hani, which the library does not know.
var shortScript = regexp.MustCompile(`^[A-Z][a-z]{3}$`)

// scriptProperties are the properties of ECMAScript that the library does not know.
var scriptProperties = []string{
	"Any", "ASCII", "Assigned", "Alpha", "Alphabetic", "Cased", "Case_Ignorable", "CI", "Changes_When_Casefolded",
	"Changes_When_Casemapped",
	"Changes_When_Lowercased", "Changes_When_NFKC_Casefolded", "Changes_When_Titlecased", "Changes_When_Uppercased",
	"CWCF", "CWCM", "CWKCF", "CWL", "CWT", "CWU",
	"Default_Ignorable_Code_Point", "DI", "EBase", "EComp", "EMod", "EPres", "Emoji", "Emoji_Component",
	"Emoji_Modifier", "Emoji_Modifier_Base",
	"Emoji_Presentation", "ExtPict", "Extended_Pictographic", "Grapheme_Base", "Gr_Base", "Grapheme_Extend", "Gr_Ext",
	"ID_Continue", "IDC", "ID_Start", "IDS",
	"Lower", "Lowercase", "Math", "Upper", "Uppercase", "XID_Continue", "XIDC", "XID_Start", "XIDS",
	"RGI_Emoji", "Basic_Emoji", "Emoji_Keycap_Sequence", "RGI_Modifier_Sequence", "RGI_Flag_Sequence",
	"RGI_Emoji_Tag_Sequence", "RGI_ZWJ_Sequence",
}

// replaceProperties replaces properties that only ECMAScript knows by one that both engines know. Only
// the syntax of the expression matters here.
func replaceProperties(source string) string {
	return propertyEscape.ReplaceAllStringFunc(source, func(escape string) string {
		parts := propertyEscape.FindStringSubmatch(escape)
		if parts[1] == "" || !knownProperty(parts[2], parts[3]) {
			return escape
		}
		return `\` + parts[1] + `{L}`
	})
}

// looseHyphen matches a hyphen before a class of characters, or an escape of another character.
var looseHyphen = regexp.MustCompile(`(?s)\\.|-\\[dDsSwW]`)

// escapeHyphens escapes the hyphens that do not begin a range, as in [\w.-\d]. ECMAScript accepts them,
// but the second engine does not.
func escapeHyphens(source string) string {
	return looseHyphen.ReplaceAllStringFunc(source, func(found string) string {
		if found[0] == '-' {
			return `\` + found
		}
		return found
	})
}

func knownProperty(name, value string) bool {
	_, alias := unicode.CategoryAliases[value]
	category := alias || unicode.Categories[value] != nil
	switch name {
	case "Script", "sc", "Script_Extensions", "scx":
		return unicode.Scripts[value] != nil || shortScript.MatchString(value)
	case "General_Category", "gc":
		return category
	case "":
		return category || unicode.Properties[value] != nil || slices.Contains(scriptProperties, value)
	}
	return false
}
