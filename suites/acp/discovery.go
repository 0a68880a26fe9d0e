package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// discovery is the result of the first calls: which actors a subject plays, and which signatures it
// accepts.
type discovery struct {
	*act.Maker
	ask       act.Asking
	met       history.Met
	installed []*sample.Package // the first one is the control: a message must reach it
	installs  error             // why no package can be installed
	reaches   error             // why no message reaches the installed packages
}

// look makes the first calls. It returns an error if the subject does not answer.
func (d *discovery) look(ctx context.Context) error {
	answer, err := configure(ctx, d.ask, d.Environment.Configuration())
	if err != nil && !suites.Survivable(err) {
		return err
	}
	d.met.Supports = jsonvalue.Texts(schemas.ReadObject(answer.Result)["supports"])
	for _, word := range d.met.Supports {
		d.Supports[word] = true
	}
	d.met.Follows = err == nil && answer.Outcome == driver.Returned
	routes, err := d.meetRouter(ctx)
	if err != nil {
		return err
	}
	if routes {
		d.met.Actors = append(d.met.Actors, actorRouter, actorRuntime)
	}
	if !d.Signs.Subject {
		d.met.Signature = string(d.Signs.Profile)
	}
	d.meetOthers(ctx)
	return nil
}

// configure sends all addresses to the subject.
func configure(ctx context.Context, ask act.Asking, where environment.Configuration) (driver.Answer, error) {
	return ask(ctx, driver.Operation{Name: opConfigure, Params: jsonvalue.Encode(where)})
}

// message sends a message in a new conversation.
func message(ctx context.Context, ask act.Asking, text string) (driver.Answer, error) {
	params := object{"conversation": "capconform-" + uuid.NewString(), "text": text}
	return ask(ctx, driver.Operation{Name: opMessage, Params: jsonvalue.Encode(params)})
}

// meetRouter finds the signature profile that the subject accepts, by packages that differ only in their
// signatures. It reports whether the subject serves the operations of a router.
func (d *discovery) meetRouter(ctx context.Context) (bool, error) {
	answer, err := message(ctx, d.ask, "Hello.")
	if err == nil && answer.Outcome == driver.NotProvided {
		d.installs = verdict.Undecided("the subject accepts no messages: it does not serve acp.message")
		// A subject that accepts packages is still a router. No file has an empty CID.
		answer, err = d.install(ctx, "")
		return err == nil && answer.Outcome != driver.NotProvided, nil
	}
	var refusals []string
	if err == nil {
		refusals, err = d.findSigner(ctx)
	}
	switch {
	case suites.Survivable(err) || errors.Is(err, driver.ErrClosed): // it may answer other operations
		d.installs = fmt.Errorf("packages cannot be examined: %w", err)
	case err != nil:
		return true, err
	case len(d.installed) == 0:
		d.installs = &verdict.Inconclusive{
			Reason: "the subject installs no package of the harness: " + jsonvalue.Clip(strings.Join(refusals, "; ")),
			Supply: "name the signature profile that the subject accepts in the target file (signature: PROFILE), or serve acp.author, so that the subject signs the packages itself",
		}
	}
	return true, nil
}

// findSigner tries the ways to sign until a package is installed and a message reaches it. It returns
// the refusals of the other ways. If the subject does not even download a package, its signature cannot
// be the reason, so findSigner stops.
func (d *discovery) findSigner(ctx context.Context) (refusals []string, err error) {
	found := d.Signs
	defer func() { d.Signs = found }()
	for _, way := range d.waysToSign() {
		s, refused, err := d.tryWay(ctx, way)
		if err != nil {
			return nil, err
		}
		if refused != "" {
			refusals = append(refusals, way.String()+": "+refused)
			if s != nil && !d.downloaded(s) {
				break
			}
			continue
		}
		mark := environment.Mark()
		if _, err := message(ctx, d.ask, sample.Amid(s.Word)+" "+mark); err != nil {
			return nil, err
		}
		reached := d.reached(mark, s)
		if reached || len(d.installed) == 1 {
			found = way
		}
		if reached {
			d.reaches, d.installed = nil, []*sample.Package{s}
			d.met.Notes = append(d.met.Notes, "acp: packages are "+signedBy(way))
			break
		}
		d.reaches = verdict.Undecided("an installed package is not reached by a message that its trigger matches: see ACP-FIELD-06")
		if !d.downloaded(s) {
			d.reaches = verdict.Undecided("a package that the subject reports as installed was never downloaded: see ACP-INST-01")
			break
		}
	}
	return refusals, nil
}

func (d *discovery) downloaded(s *sample.Package) bool {
	return d.Environment.Gateway.Fetched(s.CID)
}

// reached reports whether a message with a mark reached a package.
func (d *discovery) reached(mark string, s *sample.Package) bool {
	known := func(text string) []*sample.Package {
		return slices.DeleteFunc(slices.Clone(d.installed),
			func(p *sample.Package) bool { return !strings.Contains(text, p.Mark) })
	}
	return slices.ContainsFunc(d.Environment.Model.Turn(mark), func(q environment.Request) bool {
		return slices.Contains(history.ShownBy(&q, known).Acting(), s)
	})
}

func signedBy(way act.Signs) string {
	if way.Subject {
		return way.String()
	}
	return "signed by the profile " + way.String() + ", which capconform defines"
}

// waysToSign returns the ways to sign, the likeliest first.
func (d *discovery) waysToSign() []act.Signs {
	var all []act.Signs
	for _, profile := range d.Signs.Profiles() {
		all = append(all, act.Signs{Profile: profile})
	}
	if d.Signs.Profile != "" {
		return all
	}
	return append(all, act.Signs{Subject: true})
}

// optionSignature is the option of the subject that names the signature profile.
const optionSignature = "signature"

// optionArgument is the prefix of the options that state the runtime's names of arguments.
const optionArgument = "argument."

// tryWay installs a package that is signed in one way. If the subject refuses it, tryWay returns the
// refusal. The package is nil if it could not be published.
func (d *discovery) tryWay(ctx context.Context, way act.Signs) (*sample.Package, string, error) {
	d.Signs = way
	s := d.Sample()
	if err := d.Publish(ctx, d.ask, s); err != nil {
		if open := (*verdict.Inconclusive)(nil); errors.As(err, &open) {
			return nil, open.Reason, nil
		}
		return nil, "", err
	}
	answer, err := d.install(ctx, s.CID)
	switch {
	case err != nil:
		return nil, "", err
	case answer.Outcome != driver.Returned:
		return s, transcript.Received(answer, nil), nil
	}
	d.installed = append(d.installed, s)
	return s, "", nil
}

func (d *discovery) install(ctx context.Context, cid string) (driver.Answer, error) {
	return d.ask(ctx, driver.Operation{Name: opInstall, Params: jsonvalue.Encode(object{"cid": cid})})
}

// meetOthers finds the actors other than router and runtime. An actor that answers too late or too much
// is included: its scenarios show more.
func (d *discovery) meetOthers(ctx context.Context) {
	for _, sign := range signsOfActors() {
		if slices.Contains(d.met.Actors, sign.actor) {
			continue
		}
		if answer, err := d.ask(ctx, sign.call); err != nil || answer.Outcome != driver.NotProvided {
			d.met.Actors = append(d.met.Actors, sign.actor)
		}
	}
}
