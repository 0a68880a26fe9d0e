package acpsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/driver"
)

// The four values of a registration.
const (
	memberURI     = "cap_uri"
	memberVersion = "semver"
	memberCID     = "cid"
	memberDigest  = "sha256"
)

// The requirements that hold the positive controls of the others.
const (
	seeStored = "ACP-CHAIN-01"
	seeEvent  = "ACP-CHAIN-02"
)

// registration is one package on its way into the registry.
type registration struct {
	*specimen
	by     environment.Author
	values object // the four, as they are submitted
	answer driver.Answer
}

// registrable makes a sound package, served by the gateway, with what has to be
// submitted for it.
func (p party) registrable(by environment.Author) (*registration, error) {
	return p.registrableAs(p.Sample(), by)
}

func (p party) registrableAs(s *specimen, by environment.Author) (*registration, error) {
	s.AuthorDID = by.DID
	file, _, err := signature.Sign(signature.BlankToken, s.YAML(), by.Key)
	if err != nil {
		return nil, fmt.Errorf("acpsuite: %w", err)
	}
	s.File, s.CID = file, p.Environment.Gateway.Serve(file)
	p.Environment.Resolver.Know(by.DID, by.Document(nil))
	_, version, _ := strings.Cut(s.ID, "@")
	values := object{memberURI: s.ID, memberVersion: version, memberCID: s.CID, memberDigest: content.SHA256(file)}
	return &registration{specimen: s, by: by, values: values}, nil
}

// next is another version of a registered package.
func (p party) next(r *registration, version string, by environment.Author) (*registration, error) {
	s := p.Sample()
	s.Label, s.ID = r.Label, "did:nuwa:cap:"+r.Label+"@"+version
	return p.registrableAs(s, by)
}

// submit calls acp.publish. A nil author is nobody.
func (p party) submit(ctx context.Context, r *registration, by map[string]string) error {
	params := object{}
	for name, value := range r.values {
		params[name] = value
	}
	if by != nil && p.Supports[act.SupportsAuthors] {
		params["author"] = by
	}
	var err error
	r.answer, err = p.call(ctx, driver.Operation{Name: opPublish, Params: suites.Encode(params)})
	if err != nil {
		return fmt.Errorf("acpsuite: %s: %w", opPublish, err)
	}
	if r.answer.Outcome == driver.NotProvided {
		return notServed(opPublish)
	}
	return nil
}

func notServed(operation string) *suites.Inconclusive {
	return &suites.Inconclusive{Reason: "the subject does not serve " + operation, Supply: "serve it as suites/acp/ADAPTER.md says"}
}

// registered publishes a sound package as its author. That the registry refuses it
// leaves the question open.
func (p party) registered(ctx context.Context, r *registration) error {
	if err := p.submit(ctx, r, r.by.Credentials()); err != nil {
		return err
	}
	if r.answer.Outcome != driver.Returned {
		return suites.Undecided("the registry refuses a sound package: %s", suites.Received(r.answer, nil))
	}
	return nil
}

// record asks for what is stored of a version. Nil: nothing is given back.
func (p party) record(ctx context.Context, capURI string) (object, driver.Answer, error) {
	answer, err := p.call(ctx, driver.Operation{Name: opGet, Params: suites.Encode(object{memberURI: capURI})})
	switch {
	case err != nil:
		return nil, answer, fmt.Errorf("acpsuite: %s: %w", opGet, err)
	case answer.Outcome == driver.NotProvided:
		return nil, answer, notServed(opGet)
	case answer.Outcome != driver.Returned:
		return nil, answer, nil
	}
	return schemas.ReadObject(answer.Result), answer, nil
}

// events asks for all events. Nil and no error: no list came.
func (p party) events(ctx context.Context) ([]object, driver.Answer, error) {
	answer, err := p.call(ctx, driver.Operation{Name: opEvents, Params: suites.Encode(object{"since": 0}), List: true})
	switch {
	case err != nil:
		return nil, answer, fmt.Errorf("acpsuite: %s: %w", opEvents, err)
	case answer.Outcome == driver.NotProvided:
		return nil, answer, notServed(opEvents)
	}
	list, isList := schemas.ReadObject(answer.Result)["events"].([]any)
	if answer.Outcome != driver.Returned || !isList {
		return nil, answer, nil
	}
	all := []object{}
	for _, item := range list {
		event, _ := item.(object)
		all = append(all, event)
	}
	return all, answer, nil
}

// tells gives the events that tell of a registration: by its URI, or by its file
// where the URI was lost on the way. Where there is one of its URI, the same file under
// another name is a publication of somebody else's. The fullest come first.
func (r *registration) tells(all []object) []object {
	about := slices.DeleteFunc(slices.Clone(all), func(event object) bool {
		return !slices.ContainsFunc([]string{memberURI, memberCID, memberDigest}, func(name string) bool { return r.shares(event, name) })
	})
	slices.SortStableFunc(about, func(a, b object) int { return r.held(b) - r.held(a) })
	if !slices.ContainsFunc(about, func(event object) bool { return r.shares(event, memberURI) }) {
		return about
	}
	return slices.DeleteFunc(about, func(event object) bool {
		uri, _ := event[memberURI].(string)
		named, err := identifier.ParseCapability(uri)
		return err == nil && named.Name != r.Label
	})
}

// held counts the values of a registration that an event has.
func (r *registration) held(event object) int {
	count := 0
	for name, value := range r.values {
		if value == "" || r.shares(event, name) {
			count++
		}
	}
	return count
}

// publications gives the events that hold all values of a registration. A contract may emit
// others, such as one that a name was given out.
func (r *registration) publications(all []object) []object {
	return slices.DeleteFunc(slices.Clone(all), func(event object) bool { return r.held(event) < len(r.values) })
}

// shares tells whether an event has a value of a registration.
func (r *registration) shares(event object, name string) bool {
	value, _ := event[name].(string)
	return value != "" && r.same(name, value)
}

// same compares a value of a registration in whatever notation it may come.
func (r *registration) same(name, got string) bool {
	want, _ := r.values[name].(string)
	switch name {
	case memberCID:
		return content.SameCID(want, got)
	case memberDigest:
		return content.SameDigest(got, want)
	default:
		return want == got
	}
}
