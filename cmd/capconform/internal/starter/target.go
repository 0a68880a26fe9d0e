package starter

import "strings"

// hints are settings that most targets do not need.
const hints = `

deadlines: {call: 10s, slow: 30s, handshake: 30s}
limits: {message: 8MiB}
restart: [./restart-host.sh] # for what must survive a restart`

// mappingHint shows how an operation is mapped over HTTP.
const mappingHint = `

If the wire format differs from the binding, map the operation in jq. What a
mapping makes counts as provided, not as passed:
bindings:
  capability.list: {method: GET, path: /tools, response: '[.body[] | {capability_id: .id, version: .rev}]'}`

const rolesHint = `Capabilities that a scenario needs. A host that registers the fixture profile is
examined completely; for any other host, name the capabilities that it has. The
requirements of a role without a capability are inconclusive.
`

// triedHint is the comment above the roles that are proposed, and furtherHint above the others.
const (
	triedHint   = "Capabilities that a scenario needs: those that init saw behave so, and those that were named."
	furtherHint = `Further roles. Move those that you fill in to roles above. A host that registers the
fixture profile is examined completely; otherwise, the requirements of a role without
a capability are inconclusive.
`
)

// TargetFile returns the text of the target file. It returns ErrContentDiffers if the text does not have
// the intended content.
func (f Facts) TargetFile() ([]byte, error) {
	roles, err := f.roles()
	if err != nil {
		return nil, err
	}
	proposed := f.proposed()
	foot := rolesHint + roles + hints
	if len(proposed) > 0 {
		foot = furtherHint + roles + hints
	}
	switch {
	case f.URL == "" && len(f.Env) > 0:
	case f.URL == "":
		foot += "\nenv: {API_KEY: \"${API_KEY}\"} # the command gets PATH, HOME and similar variables, and these"
	case len(f.Headers) == 0:
		foot += "\nheaders: {Authorization: \"Bearer ${TOKEN}\"} # secrets only by reference" + mappingHint
	default:
		foot += mappingHint
	}
	head := "What is examined, and what capconform must know about it.\nExamine it: capconform run " + f.Target
	if f.Schema != "" {
		head = "yaml-language-server: $schema=" + f.Schema + "\n" + head
	}
	top := append(f.subject(), f.connection()...)
	if len(proposed) > 0 {
		top = append(top, member{key: "roles", value: proposed, above: triedHint})
	}
	return write(top, head, foot)
}

// subject returns the subject that is examined, and the suites.
func (f Facts) subject() mapping {
	var spoken words
	for _, s := range f.Suites {
		spoken = append(spoken, word(s.Name))
	}
	name := f.Name
	if name == "" {
		name = "my-host"
	}
	top := mapping{{key: "name", value: name, after: "goes into the report"}}
	suites := member{key: "suites", value: spoken,
		after: "the suites to examine; one that the target does not speak is judged as missing"}
	if f.Version == "" {
		suites.above = `version: "1.0.0"`
	} else {
		top = append(top, member{key: "version", value: f.Version})
	}
	return append(top, suites)
}

// connection returns how the target is reached.
func (f Facts) connection() mapping {
	top := mapping{{key: "driver", value: word(f.Driver)}}
	if f.URL == "" {
		var env mapping
		for _, name := range f.Env {
			env = append(env, member{key: name, value: "${" + name + "}"})
		}
		top = append(top, member{
			key: "command", value: texts(f.Command), after: "a relative path starts at this folder",
		})
		return top.withSecrets("env", env)
	}
	var headers mapping
	for _, h := range f.Headers {
		headers = append(headers, member{key: h.Name, value: h.Value})
	}
	return append(top, member{key: "url", value: f.URL}).withSecrets("headers", headers)
}

// withSecrets adds a member with secrets, unless there are none.
func (m mapping) withSecrets(key string, secrets mapping) mapping {
	if len(secrets) == 0 {
		return m
	}
	return append(m, member{key: key, value: secrets, after: "secrets only by reference"})
}

// proposed returns the roles for which a trial of a capability of the target succeeded, or for which one was named.
func (f Facts) proposed() mapping {
	var suites mapping
	for _, s := range f.Suites {
		var roles mapping
		for _, r := range s.Vacant {
			switch player := r.player(); {
			case player.Named:
				roles = append(roles, r.member(player.ID, "named: a capability that "+r.Purpose))
			case player.ID != "":
				roles = append(roles, r.member(player.ID, "observed once: a capability that "+r.Purpose))
			}
		}
		if len(roles) > 0 {
			suites = append(suites, member{key: s.Name, value: roles})
		}
	}
	return suites
}

// roles returns the text of the other roles, which is written as a comment. It is valid YAML, so it
// can be used unchanged, or be moved to the roles above.
func (f Facts) roles() (string, error) {
	var suites mapping
	for _, s := range f.Suites {
		var roles mapping
		for _, r := range s.Played {
			roles = append(roles, r.member(r.Capability, "found; nothing to do"))
		}
		for _, r := range s.Vacant {
			if r.player().ID == "" {
				roles = append(roles, r.vacantMember())
			}
		}
		if len(roles) > 0 {
			suites = append(suites, member{key: s.Name, value: roles})
		}
	}
	proposed := len(f.proposed()) > 0
	switch {
	case len(suites) == 0 && proposed:
		return "", nil
	case len(suites) == 0:
		return "roles:", nil
	case !proposed:
		suites = mapping{{key: "roles", value: suites}}
	}
	text, err := write(suites, "", "")
	return strings.TrimSuffix(string(text), "\n"), err
}

// vacantMember returns a role that no capability plays. A comment states why the candidates were not
// proposed.
func (r Role) vacantMember() member {
	purpose := "one that " + r.Purpose
	if r.Optional {
		purpose += " (optional)"
	}
	m := r.member("ID", purpose)
	var lines []string
	for _, c := range r.Candidates {
		if idForm.MatchString(c.ID) {
			lines = append(lines, c.ID+" was "+c.Why)
		}
	}
	m.above = strings.Join(lines, "\n")
	return m
}

// member returns a role that a capability plays. A text that does not have the form of an id is not
// written.
func (r Role) member(capability, comment string) member {
	if !idForm.MatchString(capability) {
		capability = "ID"
	}
	return member{key: r.Name, value: inline{{key: "capability", value: word(capability)}}, after: comment}
}
