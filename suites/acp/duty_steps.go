package acpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// dutySentences are about the operations without which an actor cannot do what the text
// demands of it.
var dutySentences = []sentence{
	say(`the subject is asked to (take a publication|publish a package)`, func(w *world) any { return w.askDuty }),
	say(`the operation is served`, func(w *world) any { return w.dutyServed }),
}

// nobodysURI is the URI of a capability that nobody published and nothing installed.
const nobodysURI = capabilityPrefix + "capconform@1.0.0"

// duties are calls that change nothing: there is no package without a CID or in an empty
// file, and no publication where its values are empty.
func duties() map[string]driver.Operation {
	return map[string]driver.Operation{
		"take a publication": {Name: opPublish, Params: suites.Encode(object{memberURI: "", memberVersion: "", memberCID: "", memberDigest: ""})},
		"publish a package":  {Name: opAuthor, Params: suites.Encode(object{"file": ""})},
	}
}

func (w *world) askDuty(ctx context.Context, what string) (err error) {
	w.duty = duties()[what]
	w.offer.answer, err = w.call(ctx, w.duty)
	if suites.ClosedInFace(err) {
		return nil // a subject may refuse what is no package in any way
	}
	return err
}

func (w *world) dutyServed() error {
	if w.offer.answer.Outcome == driver.NotProvided {
		return suites.Violated("an operation that the actor cannot do without is not served", w.duty.Name+", with a result or an error", suites.Received(w.offer.answer, nil))
	}
	return nil
}
