package acpsuite

import (
	"context"
	"errors"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/content"
)

// needAuthors leaves the question open where the subject knows no authors.
func (w *world) needAuthors() error {
	if w.Supports[act.SupportsAuthors] {
		return nil
	}
	return &suites.Inconclusive{
		Reason: "the subject does not say that it tells authors apart",
		Supply: "answer acp.configure with {supports: [authors]} and obey the member author of acp.publish",
	}
}

// strangerPublishes shows first that the other author may publish at all.
func (w *world) strangerPublishes(ctx context.Context) error {
	if err := w.needAuthors(); err != nil {
		return err
	}
	own, err := w.registrable(w.Stranger)
	if err != nil {
		return err
	}
	if err := w.registered(ctx, own); err != nil {
		return err
	}
	for _, version := range []string{"1.0.1", "2.0.0", "0.9.0"} {
		r, err := w.next(w.chain.first, version, w.Stranger)
		if err != nil {
			return err
		}
		if err := w.attempt(ctx, r, w.Stranger.Credentials()); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) strangerRefused(ctx context.Context) error {
	for _, r := range w.chain.tried {
		if err := w.isRefused(ctx, r, "another author publishes a version of a name that is taken"); err != nil {
			return err
		}
	}
	return nil
}

// isRefused wants a refusal, and that nothing of the file is given back all the same.
func (w *world) isRefused(ctx context.Context, r *registration, what string) error {
	if !r.refused() {
		return suites.Violated(what, "an error", suites.Received(r.answer, nil))
	}
	record, answer, err := w.record(ctx, r.ID)
	if err != nil {
		return err
	}
	if got, _ := record[memberCID].(string); got != "" && content.SameCID(got, r.CID) {
		return suites.Violated(what+": it is refused and stored all the same", "no record of it", suites.Received(answer, nil))
	}
	return nil
}

func (w *world) nextTaken(ctx context.Context) error {
	r, err := w.next(w.chain.first, "1.0.1", w.Author)
	if err != nil {
		return err
	}
	return w.registered(ctx, r)
}

func (w *world) nobodyPublishes(ctx context.Context) error {
	return w.publishUnproven(ctx, nil)
}

// wrongKeyPublishes signs as the author, by a key that is somebody else's.
func (w *world) wrongKeyPublishes(ctx context.Context) error {
	forged := w.Author.Credentials()
	forged["private_key"] = w.Stranger.PrivateKey()
	return w.publishUnproven(ctx, forged)
}

func (w *world) publishUnproven(ctx context.Context, by map[string]string) error {
	if err := w.needAuthors(); err != nil {
		return err
	}
	fresh, err := w.registrable(w.Author)
	if err != nil {
		return err
	}
	further, err := w.next(w.chain.first, "1.0.2", w.Author)
	if err != nil {
		return err
	}
	return errors.Join(w.attempt(ctx, fresh, by), w.attempt(ctx, further, by))
}

func (w *world) refusedUntilAuthor(ctx context.Context) error {
	for _, r := range w.chain.tried {
		if err := w.isRefused(ctx, r, "a package is published without proof of its author"); err != nil {
			return err
		}
		if err := w.registered(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
