package acpsuite

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
)

// keeping is the package whose objects the scenarios about state look at.
type keeping struct {
	*specimen
	err   error // why there is none
	works error // why state can't be looked at: nothing that is created is found
	whole error // why single members can't be looked at: what is found is not what was created
}

// keeper installs a package that has every tool of the runtime's, once a run, and
// finds out whether an object that is created is found.
func (p party) keeper(ctx context.Context) keeping {
	return p.done.keeper.Get(ctx, func() (keeping, bool) {
		k := keeping{specimen: p.Sample(), err: p.needPackages()}
		k.Keeps(toolUpdate, toolDelete)
		if k.err == nil {
			k.err = p.mounted(ctx, k.specimen)
		}
		if k.err != nil {
			return k, ctx.Err() == nil
		}
		conversation, o := newConversation(), sampleObject("control")
		t := p.create(ctx, conversation, k.specimen, o)
		if k.works = t.ended(); k.works != nil {
			return k, ctx.Err() == nil
		}
		found := p.sought(ctx, conversation, k.specimen, object{memberID: o[memberID]})
		about := found.About(idOf(o))
		switch {
		case found.err != nil:
			k.works = found.err
		case len(about) == 0:
			k.works = suites.Undecided("no object that is created is found by its id: see ACP-ABS-03")
		case !slices.ContainsFunc(about, func(stored object) bool { return contains(stored, o) }):
			k.whole = suites.Undecided("an object is not found as it was created: see ACP-STATE-01")
		}
		return k, ctx.Err() == nil
	})
}

// sampleObject makes an object that keeps the schema of a sample.
func sampleObject(title string) object {
	return object{
		memberID: uuid.NewString(), memberTitle: title, memberCount: 7, memberNote: "  Grüße an B,  zweite\tZeile " + environment.Mark()[2:10] + " ",
		memberTags: []any{"red", "green"}, memberPinned: false, memberDetail: object{"label": "a/b ~ \"c\"", "open": false, "left": 0},
	}
}

func idOf(o object) string {
	id, _ := o[memberID].(string)
	return id
}

// create lets the model create an object under the package's own schema URI.
func (p party) create(ctx context.Context, conversation string, s *specimen, o object) turn {
	return p.createUnder(ctx, conversation, s, s.SchemaURI, o)
}

func (p party) createUnder(ctx context.Context, conversation string, s *specimen, uri string, o object) turn {
	return p.order(ctx, conversation, s, environment.ToolCall{Name: toolCreate, Arguments: object{"schema_uri": uri, "object": o}})
}

// update and remove let the model call their tools also where the package has none.
func (p party) update(ctx context.Context, conversation string, s *specimen, id string, patch []any) turn {
	return p.order(ctx, conversation, s, environment.ToolCall{
		Name: toolUpdate, Arguments: object{"schema_uri": s.SchemaURI, "id": id, "patch": patch}, Unshown: true,
	})
}

// remove asks for a soft deletion: a hard one may need more than the verb.
func (p party) remove(ctx context.Context, conversation string, s *specimen, id string) turn {
	return p.removeBy(ctx, conversation, s, id, "soft")
}

func (p party) removeBy(ctx context.Context, conversation string, s *specimen, id, mode string) turn {
	return p.order(ctx, conversation, s, environment.ToolCall{
		Name: toolDelete, Arguments: object{"schema_uri": s.SchemaURI, "id": id, "mode": mode}, Unshown: true,
	})
}

// findings are what a query told.
type findings struct {
	turn
	history.Telling
	err error
}

func (p party) sought(ctx context.Context, conversation string, s *specimen, query object) findings {
	return p.retrieve(ctx, conversation, s, object{"schema_uri": s.SchemaURI, "query": query})
}

func (p party) retrieve(ctx context.Context, conversation string, s *specimen, arguments object) findings {
	t := p.order(ctx, conversation, s, environment.ToolCall{Name: toolQuery, Arguments: arguments})
	found := findings{turn: t, Telling: t.read(), err: t.ended()}
	if found.err == nil && !t.offered() {
		found.err = suites.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", toolQuery)
	}
	return found
}
