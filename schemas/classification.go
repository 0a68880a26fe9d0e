package schemas

import (
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// classify distinguishes an invalid schema from one that cannot be decided. Only a known defect of
// the schema makes it invalid.
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

// brokenSchema interprets the errors of the meta-schema. A schema that only breaks a "format" of it
// is not invalid, because the library interprets formats in its own way.
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
		return undecidable(reason, "the schema has a %s that no engine accepts", format)
	}
	if (draft == jsonschema.Draft6 || draft == jsonschema.Draft7) && onlyEnum(found) {
		return undecidable(ReasonUnresolved,
			"the schema has an enum without elements or with equal ones, which %s discourages", draft)
	}
	causes, err := causesOf(found, nil)
	if err != nil {
		return err
	}
	return &InvalidSchema{Message: fmt.Sprintf("the schema is not valid in %s", draft),
		Causes: causes}
}

// onlyEnum reports whether all that is wrong is the number of elements of enum. Draft-06 and draft-07 say
// that it SHOULD have elements, and different ones; the library's meta-schemas demand it.
func onlyEnum(e *jsonschema.ValidationError) bool {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return slices.ContainsFunc(e.Causes, onlyEnum)
	}
	if len(e.Causes) > 0 {
		return !slices.ContainsFunc(e.Causes, func(cause *jsonschema.ValidationError) bool { return !onlyEnum(cause) })
	}
	switch e.ErrorKind.(type) {
	case *kind.MinItems, *kind.UniqueItems:
		return len(e.InstanceLocation) > 0 && e.InstanceLocation[len(e.InstanceLocation)-1] == "enum"
	}
	return false
}

// onlyFormat returns the "format" that alone makes a value invalid, "" if the value is also invalid
// for another reason.
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
