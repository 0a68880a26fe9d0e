package acphost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/capconform/capconform/reference/rpc"
)

// verbs implements the built-in tools of the runtime.
type verbs struct{ *Host }

// The built-in tools.
const (
	Create = "state.create"
	Update = "state.update"
	Query  = "state.query"
	Delete = "state.delete"
)

// The limits of a page of a query.
const (
	defaultPage = 50
	maxPage     = 1000
)

func (h verbs) runtime() Runtime {
	return Runtime{
		BuiltIn: func(_ *Package, name string) bool { return isBuiltIn(name) },
		Verbs:   map[string]Verb{Create: h.create, Update: h.update, Query: h.query, Delete: h.remove},
		CheckPermission: func(p *Package, name string) error {
			if !slices.Contains(p.Permissions, name) {
				return fmt.Errorf("acphost: %s is not among the permissions of the package", name)
			}
			return nil
		},
		CheckSchemaURI: func(p *Package, _, uri string) error {
			if uri != p.SchemaURI {
				return fmt.Errorf("acphost: %.120q is not the schema URI of this package", uri)
			}
			return nil
		},
		CheckObject: func(p *Package, value any) error {
			if p.Contract() == nil {
				return errors.New("acphost: the package has no schema")
			}
			return p.Contract().Check(value)
		},
		Partition: func(p *Package, uri string) string { return strconv.Quote(p.Scope) + strconv.Quote(uri) },
		Patch:     func(_ *Package, document, patch []byte) ([]byte, error) { return applyPatch(document, patch) },
		Matches:   matchesFilter,
		PageSize: func(limit int) int {
			if limit <= 0 {
				return defaultPage
			}
			return min(limit, maxPage)
		},
		FormatPage: func(objects []any, cursor string) any {
			page := object{"objects": objects}
			if cursor != "" {
				page["next_cursor"] = cursor
			}
			return page
		},
		FormatChange: func(verb, id string, value any) any {
			if verb == Delete {
				return object{"deleted": id}
			}
			return object{"id": id, "object": value}
		},
		BindingOf: func(p *Package, name string) (Binding, bool) {
			binding, bound := p.Bindings[name]
			return binding, bound
		},
		Binders:          tools(h).binders(),
		ReachFromSandbox: func(context.Context, string) error { return errNoNetwork },
		RunUnknownType: func(binding Binding) (Result, error) {
			return Result{}, fmt.Errorf("acphost: bindings of type %.64q cannot be executed", binding.Type)
		},
		RunUnbound: func(_ *Package, name string) (Result, error) {
			return Result{}, fmt.Errorf("acphost: the tool %.64q has no binding and cannot be executed", name)
		},
		Arguments: func(arguments object) object { return arguments },
	}
}

func applyPatch(document, patch []byte) ([]byte, error) {
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("acphost: patch: %w", err)
	}
	changed, err := decoded.Apply(document)
	if err != nil {
		return nil, fmt.Errorf("acphost: patch: %w", err)
	}
	return changed, nil
}

// partitionOf returns the partition that a call names, or the package's own if the call has no schema
// URI.
func (h verbs) partitionOf(p *Package, verb string, arguments object) (string, error) {
	uri := p.SchemaURI
	if given, isGiven := arguments["schema_uri"]; isGiven {
		uri = stringOf(given)
	}
	if err := h.CheckSchemaURI(p, verb, uri); err != nil {
		return "", err
	}
	return h.Partition(p, uri), nil
}

// idOf returns the id of an object as text. An object without an id gets a new id, under which it is
// stored; the object itself is not changed.
func (h verbs) idOf(value object) (string, error) {
	switch id := value["id"].(type) {
	case nil:
		return h.NewID(), nil
	case string:
		if id != "" {
			return id, nil
		}
	default:
		return string(rpc.Append(nil, id)), nil
	}
	return "", errors.New("acphost: the id is empty")
}

func (h verbs) create(_ context.Context, p *Package, arguments object) (any, error) {
	partition, err := h.partitionOf(p, Create, arguments)
	if err != nil {
		return nil, err
	}
	value := objectOf(arguments["object"])
	if value == nil {
		return nil, errors.New("acphost: object is not an object")
	}
	if err := h.CheckObject(p, value); err != nil {
		return nil, err
	}
	id, err := h.idOf(value)
	if err != nil {
		return nil, err
	}
	err = h.Store.update(func(tx transaction) error {
		if storedObject(tx, partition, id) != nil {
			return fmt.Errorf("acphost: an object %.80q exists already", id)
		}
		return h.write(tx, partition, id, object{"op": "create", "object": value}, value)
	})
	return h.FormatChange(Create, id, value), err
}

func (h verbs) update(_ context.Context, p *Package, arguments object) (any, error) {
	partition, err := h.partitionOf(p, Update, arguments)
	if err != nil {
		return nil, err
	}
	patch, isList := arguments["patch"].([]any)
	if !isList {
		return nil, errors.New("acphost: patch is not a list of operations")
	}
	id := stringOf(arguments["id"])
	var value any
	err = h.Store.update(func(tx transaction) error {
		before := storedObject(tx, partition, id)
		if before == nil {
			return fmt.Errorf("acphost: no object %.80q exists", id)
		}
		after, err := h.Patch(p, rpc.Append(nil, before), rpc.Append(nil, patch))
		if err != nil {
			return err
		}
		if value, err = rpc.Decode(after); err != nil {
			return fmt.Errorf("acphost: patch: %w", err)
		}
		if !sameJSON(objectOf(value)["id"], objectOf(before)["id"]) {
			return errors.New("acphost: the id of an object cannot be changed")
		}
		if err := h.CheckObject(p, value); err != nil {
			return err
		}
		return h.write(tx, partition, id, object{"op": "update", "patch": patch}, value)
	})
	return h.FormatChange(Update, id, value), err
}

func (h verbs) remove(_ context.Context, p *Package, arguments object) (any, error) {
	partition, err := h.partitionOf(p, Delete, arguments)
	if err != nil {
		return nil, err
	}
	mode := stringOf(arguments["mode"])
	if mode != "" && mode != "soft" && mode != "hard" {
		return nil, errors.New("acphost: mode is neither soft nor hard")
	}
	id := stringOf(arguments["id"])
	var value any
	err = h.Store.update(func(tx transaction) error {
		if value = storedObject(tx, partition, id); value == nil {
			return fmt.Errorf("acphost: no object %.80q exists", id)
		}
		if mode == "hard" {
			value = nil
		}
		return h.write(tx, partition, id, object{"op": "delete", "mode": mode}, nil)
	})
	return h.FormatChange(Delete, id, value), err
}

func (h verbs) query(_ context.Context, p *Package, arguments object) (any, error) {
	partition, err := h.partitionOf(p, Query, arguments)
	if err != nil {
		return nil, err
	}
	limit, _ := integerOf(arguments["limit"])
	limit = h.PageSize(limit)
	found, last, more := []any{}, "", false
	var fault error
	err = h.Store.view(func(tx transaction) error {
		tx.each(bucketObjects, partition, stringOf(arguments["cursor"]), func(id string, text []byte) bool {
			value, err := rpc.Decode(text)
			if err != nil {
				fault = fmt.Errorf("acphost: store: %w", err)
				return false
			}
			meets, err := h.Matches(arguments["query"], value)
			if err != nil {
				fault = err
				return false
			}
			if !meets {
				return true
			}
			if len(found) == limit {
				more = true
				return false
			}
			found, last = append(found, value), id
			return true
		})
		return fault
	})
	if !more {
		last = ""
	}
	return h.FormatPage(found, last), err
}

// storedObject returns a stored object, nil if there is none.
func storedObject(tx transaction, partition, id string) any {
	text := tx.get(bucketObjects, partition+id)
	if text == nil {
		return nil
	}
	value, err := rpc.Decode(bytes.Clone(text))
	if err != nil {
		return nil
	}
	return value
}

// write adds an operation to the log, and stores its result. A nil value deletes the object. A hard
// deletion also removes the earlier operations from the log; a soft deletion keeps them.
func (h verbs) write(tx transaction, partition, id string, operation object, value any) error {
	operation["partition"], operation["id"], operation["at"] = partition, id, h.Now().UTC().Format(time.RFC3339Nano)
	if operation["mode"] == "hard" {
		if err := tx.removeOperations(partition, id); err != nil {
			return err
		}
	}
	if _, err := tx.add(bucketLog, rpc.Append(nil, operation)); err != nil {
		return err
	}
	if value == nil {
		return tx.remove(bucketObjects, partition+id)
	}
	return tx.put(bucketObjects, partition+id, rpc.Append(nil, value))
}
