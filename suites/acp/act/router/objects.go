package router

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
)

// sampleObject returns an object that is valid against the schema of a sample.
func sampleObject(title string) object {
	return object{
		sample.MemberID: uuid.NewString(), sample.MemberTitle: title, sample.MemberCount: 7,
		sample.MemberNote: "  Grüße an B,  zweite\tZeile " + environment.NewMark()[2:10] + " ",
		sample.MemberTags: []any{"red", "green"}, sample.MemberPinned: false,
		sample.MemberDetail: object{"label": "a/b ~ \"c\"", "open": false, "left": 0},
	}
}

func objectID(o object) string {
	id, _ := o[sample.MemberID].(string)
	return id
}

func replaceTitle(title string) object {
	return object{"op": "replace", "path": "/" + sample.MemberTitle, "value": title}
}

// create has the model create objects, each in a separate turn, and query each.
func (k conversation) create(ctx context.Context, how about, all ...object) error {
	for _, o := range all {
		arguments := object{"schema_uri": k.pkg.SchemaURI, "object": o}
		if _, err := k.callTool(ctx, how, sample.Create, arguments); err != nil {
			return err
		}
		if err := k.queryByID(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// queryByID has the model query objects by their ids.
func (k conversation) queryByID(ctx context.Context, all ...object) error {
	for _, o := range all {
		if err := k.query(ctx, nil, object{sample.MemberID: o[sample.MemberID]}); err != nil {
			return err
		}
	}
	return nil
}

func (k conversation) query(ctx context.Context, how about, filter object) error {
	_, err := k.callTool(ctx, how, sample.Query, object{"schema_uri": k.pkg.SchemaURI, "query": filter})
	return err
}

func (k conversation) update(ctx context.Context, how about, o object, patch []any) error {
	_, err := k.callTool(ctx, how, sample.Update, object{"schema_uri": k.pkg.SchemaURI, "id": objectID(o), "patch": patch})
	return err
}

func (k conversation) remove(ctx context.Context, how about, o object, mode string) error {
	arguments := object{"schema_uri": k.pkg.SchemaURI, "id": objectID(o)}
	if mode != history.ModeUnstated {
		arguments["mode"] = mode
	}
	_, err := k.callTool(ctx, how, sample.Delete, arguments)
	return err
}

// batch returns objects with the same note, which is also returned, and with counts from 1.
func batch(titles ...string) ([]object, string) {
	mark := "batch " + environment.NewMark()[2:12]
	var all []object
	for i, title := range titles {
		o := sampleObject(title)
		o[sample.MemberNote], o[sample.MemberCount] = mark, i+1
		all = append(all, o)
	}
	return all, mark
}

// createMany has the model create objects, several in one turn, and query each.
func (k conversation) createMany(ctx context.Context, all []object) error {
	for chunk := range slices.Chunk(all, callsPerTurn) {
		creations, queries := environment.Script{}, environment.Script{}
		for _, o := range chunk {
			creations.Calls = append(creations.Calls, environment.ToolCall{Name: sample.Create,
				Arguments: object{"schema_uri": k.pkg.SchemaURI, "object": o}})
			queries.Calls = append(queries.Calls, environment.ToolCall{Name: sample.Query,
				Arguments: object{"schema_uri": k.pkg.SchemaURI, "query": object{sample.MemberID: o[sample.MemberID]}}})
		}
		for _, script := range []environment.Script{creations, queries} {
			if _, err := k.sendScripted(ctx, nil, script); err != nil {
				return err
			}
		}
	}
	return nil
}

// The sizes of a large query: more objects than the limit of a page, and more than many runtimes return
// at once.
const (
	manyObjects = 61 // the last page has one
	pageLimit   = 10
)

// readPages reads the objects of a batch page by page to the end, and returns the last page.
func (k conversation) readPages(ctx context.Context, how, batch string) (last *history.Turn, err error) {
	arguments := object{"schema_uri": k.pkg.SchemaURI, "query": object{sample.MemberNote: batch}}
	if how != "whole" {
		arguments["limit"] = pageLimit
	}
	for range history.MaxPages {
		last, err = k.callTool(ctx, about{history.AboutPage: how}, sample.Query, arguments)
		if err != nil {
			return nil, err
		}
		if arguments["cursor"] = last.ToolResult(0).Cursor(); arguments["cursor"] == nil {
			break
		}
	}
	return last, nil
}
