package target

import (
	"cmp"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/live"
)

// signatureWords are the profiles of signatures in a package (ACP).
var signatureWords = []string{"blank-token-ed25519", "remove-line", "jcs"}

// switchForm matches the argument of a command that names a capability on one line (ACP).
var switchForm = regexp.MustCompile(`^[^\r\n]*\{(?:name|cap_uri|title)\}[^\r\n]*$`)

// actorWords are the actors of the catalogues.
var actorWords = []string{
	"adapter", "agent", "author", "caller", "channel", "client", "descriptor", "exemplar", "host",
	"index", "model", "package",
	"publisher", "registry", "router", "runtime", "sdk", "source", "upper_layer",
}

// skillWords are the members of a skill that a Skills system may have (CAP).
var skillWords = []string{"prompt_template", "resources", "required_permissions"}

// document reads a target file and stops at the first error.
type document struct {
	decoder
	words  Words
	lookup func(name string) (string, bool)
	file   *File
}

// suite reads the name of a suite, or the folder of a text of one's own, which is relative to the folder of the file.
func (d *document) suite(into *string) valueReader {
	return func(n *yaml.Node) error {
		if !strings.Contains(n.Value, "/") {
			return d.word(into, slices.Concat(spec.Names(), d.words.Texts)...)(n)
		}
		if err := d.text(into)(n); err != nil {
			return err
		}
		if !filepath.IsAbs(*into) {
			*into = filepath.Join(filepath.Dir(d.path), *into)
			if filepath.Base(*into) == *into {
				*into = "." + string(filepath.Separator) + *into // a name with a separator is a folder
			}
		}
		return nil
	}
}

// read reads the whole file.
func (d *document) read(root *yaml.Node) error {
	f := d.file
	plain, edition := d.text, ""
	err := d.members(root, map[string]valueReader{
		"name":    d.text(&f.Name),
		"version": d.text(&f.Version),
		"about":   d.about,
		"suites": d.texts(&f.Suites, func(into *string) valueReader {
			return d.suite(into)
		}),
		"edition": d.word(&edition, d.words.Editions...),
		"editions": d.texts(&f.Editions, func(into *string) valueReader {
			return d.word(into, d.words.Editions...)
		}),
		"actors": d.texts(&f.Actors, func(into *string) valueReader {
			return d.word(into, actorWords...)
		}),
		"driver":    d.word(&f.Driver, "http", "mcp", "stdio"),
		"url":       d.url,
		"command":   d.texts(&f.Command, plain),
		"headers":   d.secrets(&f.Headers, headerName),
		"env":       d.secrets(&f.Env, variableName),
		"roles":     d.roles,
		"bindings":  d.bindings,
		"http":      d.http,
		"mcp":       d.mcp,
		"supports":  d.supports,
		"restart":   d.texts(&f.Restart, plain),
		"limits":    d.limits,
		"deadlines": d.deadlines,
		"known":     d.known,
		"signature": d.word(&f.Signature, signatureWords...),
		"switch":    d.argument,
		"arguments": d.arguments,
	})
	if err != nil {
		return err
	}
	if edition != "" && len(f.Editions) > 0 {
		return d.errorAt(root, "edition and editions exclude each other")
	}
	if edition != "" {
		f.Editions = []string{edition}
	}
	f.Command, f.Restart = d.program(f.Command), d.program(f.Restart)
	return d.reachable(root)
}

// reachable checks that the file states exactly one way to reach the target.
func (d *document) reachable(root *yaml.Node) error {
	f := d.file
	switch {
	case f.URL == "" && len(f.Command) == 0:
		return d.errorAt(root, "neither url nor command: one of them must say how to reach the target")
	case f.URL != "" && len(f.Command) > 0:
		return d.errorAt(root, "url and command exclude each other")
	case f.Driver == "http" && f.URL == "":
		return d.errorAt(root, "driver http needs a url")
	case f.Driver == "stdio" && len(f.Command) == 0:
		return d.errorAt(root, "driver stdio needs a command")
	case f.Driver == "http" && strings.HasPrefix(f.URL, "mcp+"):
		return d.errorAt(root, "driver http does not speak to a url that begins with mcp+")
	}
	return nil
}

// argument reads the form in which a user names the capability to switch to.
func (d *document) argument(n *yaml.Node) error {
	if err := d.text(&d.file.Switch)(n); err != nil {
		return err
	}
	if !switchForm.MatchString(d.file.Switch) {
		return d.errorAt(n, "%q names no capability; want {name}, {cap_uri} or {title} on one line", d.file.Switch)
	}
	return nil
}

// argumentWords are the arguments of the built-in tools of ACP (suites/acp/ADAPTER.md).
var argumentWords = []string{"schema_uri", "object", "id", "patch", "query", "limit", "cursor", "mode"}

// arguments reads the names of a runtime for the arguments of the built-in tools.
func (d *document) arguments(n *yaml.Node) error {
	d.file.Arguments = map[string]string{}
	err := d.each(n, func(key, value *yaml.Node) error {
		if !slices.Contains(argumentWords, key.Value) {
			return d.errorAt(key, "unknown argument %q; known: %s", key.Value, strings.Join(argumentWords, ", "))
		}
		var name string
		err := d.text(&name)(value)
		d.file.Arguments[key.Value] = name
		return err
	})
	seen := map[string]string{}
	for _, ours := range argumentWords {
		theirs := cmp.Or(d.file.Arguments[ours], ours)
		if other := seen[theirs]; other != "" && err == nil {
			return d.errorAt(n, "%s and %s have the same name, %q", other, ours, theirs)
		}
		seen[theirs] = ours
	}
	return err
}

// url reads an address. It may contain variables, because some addresses are secret.
func (d *document) url(n *yaml.Node) (err error) {
	if err := d.text(&d.file.URL)(n); err != nil {
		return err
	}
	if d.file.URL, err = ExpandURL(d.file.URL, d.lookup); err != nil {
		return d.errorAt(n, "%v", err)
	}
	if !urlForm.MatchString(d.file.URL) {
		if schemeForm.MatchString(d.file.URL) {
			return d.errorAt(n, "%q is not a URL: want a host after ://, and no blank", driver.MaskAddresses(d.file.URL))
		}
		return d.errorAt(n, "%q is not a URL that begins with http://, https://, mcp+http:// or mcp+https://",
			driver.MaskAddresses(d.file.URL))
	}
	return nil
}

func (d *document) roles(n *yaml.Node) error {
	d.file.Roles = map[string]map[string]live.Player{}
	return d.each(n, func(suite, roles *yaml.Node) error {
		if !slices.Contains(spec.Names(), suite.Value) {
			return d.errorAt(suite, "unknown suite %q: roles stand below the suite that they are for (%s)", suite.Value,
				strings.Join(spec.Names(), ", "))
		}
		players := map[string]live.Player{}
		d.file.Roles[suite.Value] = players
		return d.each(roles, func(role, player *yaml.Node) error {
			known, limited := d.words.Roles[suite.Value]
			if limited && !slices.Contains(known, role.Value) {
				return d.errorAt(role, "suite %s has no role %q%s", suite.Value, role.Value, nearest.Hint(role.Value, known))
			}
			p, err := d.player(player)
			players[role.Value] = p
			return err
		})
	})
}

func (d *document) player(n *yaml.Node) (live.Player, error) {
	var p live.Player
	err := d.members(n, map[string]valueReader{
		"capability": d.text(&p.Capability),
		"version":    d.text(&p.Version),
		"input": func(value *yaml.Node) (err error) {
			p.Input, err = d.json(value)
			return err
		},
	})
	if err == nil && p.Capability == "" {
		return p, d.errorAt(n, "a role needs the capability that plays it: capability: ID")
	}
	return p, err
}

func (d *document) http(n *yaml.Node) error {
	return d.members(n, map[string]valueReader{"rpc_path": d.place(&d.file.HTTP.RPCPath)})
}

func (d *document) about(n *yaml.Node) error {
	a := &d.file.About
	plain := d.text(&a.URL)
	return d.members(n, map[string]valueReader{
		"organisation": d.text(&a.Organisation),
		"contact":      d.text(&a.Contact),
		"url": func(value *yaml.Node) error {
			if err := plain(value); err != nil {
				return err
			}
			u, err := url.Parse(a.URL)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
				return d.errorAt(value, "want an address that begins with http:// or https://, without user information")
			}
			return nil
		},
	})
}

func (d *document) mcp(n *yaml.Node) error {
	version := d.text(&d.file.MCP.Version)
	return d.members(n, map[string]valueReader{
		"mode":    d.word(&d.file.MCP.Mode, "auto", "adapter", "operations"),
		"version": d.word(&d.file.Revision, mcpdriver.Versions()...),
		"capability_version": func(value *yaml.Node) error {
			if value.Tag == "!!null" {
				return nil
			}
			return version(value)
		},
	})
}

func (d *document) supports(n *yaml.Node) error {
	var skills, names []string
	err := d.members(n, map[string]valueReader{
		"skills": d.texts(&skills, func(into *string) valueReader { return d.word(into, skillWords...) }),
		"names":  d.texts(&names, d.text),
	})
	d.file.Supports = map[string][]string{}
	for key, all := range map[string][]string{"skills": skills, "names": names} {
		if len(all) > 0 {
			d.file.Supports[key] = all
		}
	}
	return err
}

func (d *document) limits(n *yaml.Node) error {
	return d.members(n, map[string]valueReader{"message": d.size(&d.file.Limits.Message)})
}

func (d *document) deadlines(n *yaml.Node) error {
	at := &d.file.Deadlines
	return d.members(n, map[string]valueReader{
		"call": d.duration(&at.Call), "slow": d.duration(&at.Slow), "handshake": d.duration(&at.Handshake),
	})
}

func (d *document) known(n *yaml.Node) error {
	return d.items(n, func(item *yaml.Node) error {
		var p suites.Package
		err := d.members(item, map[string]valueReader{
			"cap_uri": d.text(&p.CapURI), "semver": d.text(&p.Semver), "cid": d.text(&p.CID), "sha256": d.text(&p.SHA256),
		})
		if err == nil && p.CapURI == "" {
			err = d.errorAt(item, "a known package needs its cap_uri")
		}
		d.file.Known = append(d.file.Known, p)
		return err
	})
}

// program joins a relative path to the folder of the file. A bare name is looked up in PATH.
func (d *document) program(command []string) []string {
	if len(command) > 0 && strings.ContainsAny(command[0], `/`+string(filepath.Separator)) && !filepath.IsAbs(command[0]) {
		joined := filepath.Join(filepath.Dir(d.path), command[0])
		if !strings.ContainsRune(joined, filepath.Separator) {
			joined = "." + string(filepath.Separator) + joined // otherwise it would be looked up in PATH
		}
		command[0] = joined
	}
	return command
}
