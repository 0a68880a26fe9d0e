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
	*act.PackageMaker
	call         act.CallFunc
	result       history.Discovery
	installed    []*sample.Package // the first one is the control: a message must reach it
	installError error             // why no package can be installed
	reachError   error             // why no message reaches the installed packages
}

// run makes the first calls. It returns an error if the subject does not answer.
func (d *discovery) run(ctx context.Context) error {
	answer, err := configure(ctx, d.call, d.Environment.Configuration())
	if err != nil && !suites.CanContinueAfter(err) {
		return err
	}
	d.result.Supports = jsonvalue.Texts(schemas.ReadObject(answer.Result)["supports"])
	for _, feature := range d.result.Supports {
		d.Supports[feature] = true
	}
	d.result.Configured = err == nil && answer.Outcome == driver.Returned
	isRouter, err := d.discoverRouter(ctx)
	if err != nil {
		return err
	}
	if isRouter {
		d.result.Actors = append(d.result.Actors, actorRouter, actorRuntime)
	}
	if !d.Signing.BySubject {
		d.result.Signature = string(d.Signing.Profile)
	}
	d.discoverOtherActors(ctx)
	return nil
}

// configure sends all addresses to the subject.
func configure(ctx context.Context, ask act.CallFunc, addresses environment.Configuration) (driver.Answer, error) {
	return ask(ctx, driver.Operation{Name: opConfigure, Params: jsonvalue.Encode(addresses)})
}

// message sends a message in a new conversation.
func message(ctx context.Context, ask act.CallFunc, text string) (driver.Answer, error) {
	params := object{"conversation": "capconform-" + uuid.NewString(), "text": text}
	return ask(ctx, driver.Operation{Name: opMessage, Params: jsonvalue.Encode(params)})
}

// discoverRouter finds the signature profile that the subject accepts, by packages that differ only in
// their signatures. It reports whether the subject serves the operations of a router.
func (d *discovery) discoverRouter(ctx context.Context) (bool, error) {
	answer, err := message(ctx, d.call, "Hello.")
	if err == nil && answer.Outcome == driver.NotProvided {
		d.installError = verdict.Undecided("the subject accepts no messages: it does not serve acp.message")
		// A subject that accepts packages is still a router. No file has an empty CID.
		answer, err = d.install(ctx, "")
		return err == nil && answer.Outcome != driver.NotProvided, nil
	}
	var refusals []string
	if err == nil {
		refusals, err = d.findSigning(ctx)
	}
	switch {
	case suites.CanContinueAfter(err) || errors.Is(err, driver.ErrClosed): // it may answer other operations
		d.installError = fmt.Errorf("packages cannot be examined: %w", err)
	case err != nil:
		return true, err
	case len(d.installed) == 0:
		d.installError = &verdict.Inconclusive{
			Reason: "the subject installs no package of the harness: " + jsonvalue.Clip(strings.Join(refusals, "; ")),
			Supply: "name the signature profile that the subject accepts in the target file (signature: PROFILE), or serve acp.author, so that the subject signs the packages itself",
		}
	}
	return true, nil
}

// findSigning tries the ways to sign until a package is installed and a message reaches it. It returns
// the refusals of the other ways. If the subject does not even download a package, its signature cannot
// be the reason, so findSigning stops.
func (d *discovery) findSigning(ctx context.Context) (refusals []string, err error) {
	accepted := d.Signing
	defer func() { d.Signing = accepted }()
	for _, signing := range d.signings() {
		s, refused, err := d.trySigning(ctx, signing)
		if err != nil {
			return nil, err
		}
		if refused != "" {
			refusals = append(refusals, signing.String()+": "+refused)
			if s != nil && !d.downloaded(s) {
				break
			}
			continue
		}
		messageMark := environment.NewMark()
		if _, err := message(ctx, d.call, sample.TextWith(s.Word)+" "+messageMark); err != nil {
			return nil, err
		}
		reached := d.reached(messageMark, s)
		if reached || len(d.installed) == 1 {
			accepted = signing
		}
		if reached {
			d.reachError, d.installed = nil, []*sample.Package{s}
			d.result.Notes = append(d.result.Notes, "acp: packages are "+describeSigning(signing))
			break
		}
		d.reachError = verdict.Undecided("an installed package is not reached by a message that its trigger matches: see ACP-FIELD-06")
		if !d.downloaded(s) {
			d.reachError = verdict.Undecided("a package that the subject reports as installed was never downloaded: see ACP-INST-01")
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
	packagesIn := func(text string) []*sample.Package {
		return slices.DeleteFunc(slices.Clone(d.installed),
			func(p *sample.Package) bool { return !strings.Contains(text, p.Mark) })
	}
	return slices.ContainsFunc(d.Environment.Model.RequestsWith(mark), func(q environment.Request) bool {
		return slices.Contains(history.ShownIn(&q, packagesIn).Acting(), s)
	})
}

func describeSigning(signing act.Signing) string {
	if signing.BySubject {
		return signing.String()
	}
	return "signed by the profile " + signing.String() + ", which capconform defines"
}

// signings returns the ways to sign, the likeliest first.
func (d *discovery) signings() []act.Signing {
	var all []act.Signing
	for _, profile := range d.Signing.Profiles() {
		all = append(all, act.Signing{Profile: profile})
	}
	if d.Signing.Profile != "" {
		return all
	}
	return append(all, act.Signing{BySubject: true})
}

// optionSignature is the option of the subject that names the signature profile.
const optionSignature = "signature"

// optionArgument is the prefix of the options that state the runtime's names of arguments.
const optionArgument = "argument."

// trySigning installs a package that is signed in one way. If the subject refuses it, trySigning returns
// the refusal. The package is nil if it could not be published.
func (d *discovery) trySigning(ctx context.Context, signing act.Signing) (*sample.Package, string, error) {
	d.Signing = signing
	s := d.NewPackage()
	if err := d.Publish(ctx, d.call, s); err != nil {
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
	return d.call(ctx, driver.Operation{Name: opInstall, Params: jsonvalue.Encode(object{"cid": cid})})
}

// discoverOtherActors finds the actors other than router and runtime. An actor that answers too late or
// too much is included: its scenarios show more.
func (d *discovery) discoverOtherActors(ctx context.Context) {
	for _, probe := range actorProbes() {
		if slices.Contains(d.result.Actors, probe.actor) {
			continue
		}
		if answer, err := d.call(ctx, probe.operation); err != nil || answer.Outcome != driver.NotProvided {
			d.result.Actors = append(d.result.Actors, probe.actor)
		}
	}
}
