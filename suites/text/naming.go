package text

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

// naming says where the result of the probe names the target: the paths of its name, of its version, and of the
// versions of the protocol that it declares, the preferred one first. A path is "" if the text has no such member.
type naming struct {
	Name, Version string
	Declares      []string
}

var namingKeys = []string{"name", "version", "declares"}

func (r protocolReader) naming(n *yaml.Node) {
	if n == nil {
		return
	}
	m := r.Members(n, namingKeys)
	path := func(n *yaml.Node) string {
		text := r.Text(n).Value
		if text != "" && (!memberPath.MatchString(text) || strings.Contains(text, "[]")) {
			r.Fail(n, "expected the path of a member of the result of the probe, such as result.name")
		}
		return text
	}
	r.Subject.Name, r.Subject.Version = path(m["name"]), path(m["version"])
	if declares := m["declares"]; declares != nil {
		if declares.Kind != yaml.SequenceNode {
			r.Fail(declares, "declares is a list of paths")
		}
		for _, one := range declares.Content {
			r.Subject.Declares = append(r.Subject.Declares, path(one))
		}
	}
}

// into adds to a profile what the result of the probe says.
func (n naming) into(profile *suites.Profile, probe json.RawMessage) {
	result := any(schemas.ReadObject(probe))
	text := func(value any) string {
		text, _ := value.(string)
		return text
	}
	if n.Name != "" {
		profile.Name = text(valueAt(result, n.Name))
	}
	if n.Version != "" {
		profile.Version = text(valueAt(result, n.Version))
	}
	for _, path := range n.Declares {
		list, is := valueAt(result, path).([]any)
		if !is {
			list = []any{valueAt(result, path)}
		}
		for _, one := range list {
			profile.Declared = append(profile.Declared, text(one))
		}
	}
}
