package schemas

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// classify tells a wrong schema from one that we can't decide. Only what is
// known to be a defect of the schema counts as one.
func classify(err error, draft *jsonschema.Draft) error {
	if _, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return &Undecidable{Reason: ReasonReference, Message: "a reference leads out of the document: " + clip(err.Error(),
			messageLength), Err: err}
	}
	if broken, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		return brokenSchema(broken, draft)
	}
	_, pointer := errors.AsType[*jsonschema.JSONPointerNotFoundError](err)
	_, anchor := errors.AsType[*jsonschema.AnchorNotFoundError](err)
	if pointer || anchor {
		return &InvalidSchema{Message: "a reference has no target: " + clip(err.Error(),
			messageLength)}
	}
	reason := ReasonUnresolved
	if _, ok := errors.AsType[*jsonschema.InvalidRegexError](err); ok {
		reason = ReasonPattern
	}
	return &Undecidable{Reason: reason, Message: clip(err.Error(), messageLength), Err: err}
}

// brokenSchema reads what the meta-schema says. A schema that breaks a "format"
// of it alone is not accused: the formats there are our library's reading.
func brokenSchema(broken *jsonschema.SchemaValidationError, draft *jsonschema.Draft) error {
	found, ok := errors.AsType[*jsonschema.ValidationError](broken.Err)
	if !ok {
		return &Undecidable{Reason: ReasonUnresolved, Message: "the schema library refuses the schema", Err: broken}
	}
	if format := onlyFormat(found); format != "" {
		reason := ReasonReference
		if format == "regex" {
			reason = ReasonPattern
		}
		return undecidable(reason, "the schema has a %s that no engine of ours takes", format)
	}
	causes, err := causesOf(found, nil)
	if err != nil {
		return err
	}
	return &InvalidSchema{Message: fmt.Sprintf("the schema is not valid in %s", draft),
		Causes: causes}
}

// onlyFormat reports whether a value would be sound but for a "format", and which.
func onlyFormat(e *jsonschema.ValidationError) string {
	if f, ok := e.ErrorKind.(*kind.Format); ok {
		return f.Want
	}
	if len(e.Causes) == 0 {
		return ""
	}
	alternatives := false
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		alternatives = true
	}
	last := ""
	for _, cause := range e.Causes {
		last = onlyFormat(cause)
		if alternatives == (last != "") {
			break
		}
	}
	return last
}
