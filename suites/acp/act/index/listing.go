package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// controlRequirement is the requirement that contains the positive control of the other requirements on
// an index.
const controlRequirement = "ACP-REG-04"

// The pauses between two requests while the harness waits for the index, and the time that the index has
// for the remaining versions after it has downloaded all files.
const (
	firstPause, longestPause = 10 * time.Millisecond, 500 * time.Millisecond
	timeToList               = 2 * time.Second
)

// minCopyDelay is the shortest time that the copies of an index have after the first one shows the
// listing.
const minCopyDelay = 400 * time.Millisecond

// errNothingShown reports that the index shows no published version.
var errNothingShown = verdict.Undecided("the index shows no published capability: see %s", controlRequirement)

// errWaitDeadline reports that a wait reached its deadline.
var errWaitDeadline = errors.New("index: not before the deadline")

// listing publishes two versions of each of two capabilities and waits until the index shows them. If
// the target file names listed versions, listing does nothing.
func (c *Caller) listing(ctx context.Context, l *suites.Laboratory) error {
	if len(c.KnownReleases) > 0 {
		return nil
	}
	if !c.Configured() && !c.HasAddresses {
		return &verdict.Inconclusive{
			Reason: "the index does not follow the registry of the harness, and the capabilities that it lists are unknown",
			Supply: "offer acp_configure as a tool, or read ACP_GATEWAY and ACP_REGISTRY as a child that is started with --suite acp, or name listed versions in the target file: known: [{cap_uri: did:nuwa:cap:NAME@1.0.0, cid: CID}]",
		}
	}
	var err error
	for _, c.profile = range c.Maker.Signing.Profiles() {
		begun := time.Now()
		if err := c.publishListing(); err != nil {
			return err
		}
		listed := c.History.Releases()
		err = c.waitForListing(ctx, l, listed)
		shown := time.Now()
		c.copiesAgree = shown.Add(max(shown.Sub(begun), minCopyDelay))
		if !isNothingShown(err) || !c.allFetched(listed) {
			break // otherwise it may verify signatures by another profile
		}
	}
	return err
}

// publishListing publishes the higher version first for one capability, and the lower version first for
// the other. A service that compares the order of publication, or versions as texts, is wrong about one
// of them: as texts, 1.9.0 is higher than 1.10.0, and 2.0.9 is higher than 2.0.10.
func (c *Caller) publishListing() error {
	label := ""
	for i, versions := range [][]string{{"1.10.0", "1.9.0"}, {"2.0.9", "2.0.10"}} {
		s := c.Maker.NewPackage()
		if i > 0 {
			s.Label = label + secondNameSuffix // the name of the other capability is a prefix of this one
		}
		label = s.Label
		words := newWords()
		for _, version := range versions {
			if err := c.publish(s, version, words, history.Listing); err != nil {
				return err
			}
		}
	}
	return nil
}

// secondNameSuffix is the last character of the name of the second capability.
const secondNameSuffix = "x"

// newWord returns a new word of letters only, so that no tokenizer splits it.
func newWord() string {
	return "qu" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'g' + r - '0'
		}
		return r
	}, environment.NewMark()[2:])
}

// newWords returns three new words: one for a trigger and for the name or description, one for a
// trigger only, and one for the name or description only.
func newWords() []string { return []string{newWord(), newWord(), newWord()} }

// publish publishes a version of a capability. An index can find it by words of its name or description,
// and of its triggers.
func (c *Caller) publish(s *sample.Package, version string, words []string, stimulus string) error {
	one, word := *s, words[0]+" and "+words[2]
	one.ID = one.CapURI(version)
	one.Package.Name, one.Description = "Keeper", "Keeps what belongs to "+word+", in version "+version+"."
	if strings.HasSuffix(s.Label, secondNameSuffix) || stimulus == history.FurtherPublication {
		one.Package.Name, one.Description = "Keeper of "+word, "Keeps things, in version "+version+"."
	}
	one.Triggers = nil
	for _, value := range words[:2] {
		one.Triggers = append(one.Triggers, environment.Trigger{Type: "keyword", Value: value})
	}
	if err := c.Maker.PublishOnChain(&one, c.profile, stimulus); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return nil
}

// waitForListing waits until the index shows each version, at most for the deadline of slow operations.
// It also ends if the index downloaded all files and then had time to show them: the missing ones are
// judged as missing.
func (c *Caller) waitForListing(ctx context.Context, l *suites.Laboratory, all []*history.Release) error {
	deadlineCtx, cancel := context.WithTimeout(ctx, c.Subject.Deadlines.Slow)
	defer cancel()
	shown := map[string]bool{}
	var fetched time.Time
	err := poll(deadlineCtx, func() (bool, error) {
		for _, r := range all {
			if !shown[r.URI] {
				shows, err := c.isShown(ctx, l, r, history.Waiting)
				if err != nil {
					return false, err
				}
				shown[r.URI] = shows
			}
		}
		if fetched.IsZero() && c.allFetched(all) {
			fetched = time.Now()
		}
		missing := slices.Contains(slices.Collect(maps.Values(shown)), false)
		return !missing || !fetched.IsZero() && time.Since(fetched) > timeToList, nil
	})
	switch {
	case !errors.Is(err, errWaitDeadline):
		return err
	case slices.Contains(slices.Collect(maps.Values(shown)), true):
		return nil
	}
	return errNothingShown
}

// isShown reports whether an index shows a version in the answer to either query, so that one query may
// be broken.
func (c *Caller) isShown(ctx context.Context, l *suites.Laboratory, r *history.Release, wait string) (bool, error) {
	answer, err := c.send(ctx, l, resolve(r.URI).withAbout(history.AboutWait, wait))
	switch {
	case errors.Is(err, driver.ErrClosed): // a search may still be answered
	case err != nil || answer.Shows(r):
		return err == nil, err
	}
	q := search(r.Words()[0]).withAbout(history.AboutWait, history.Waiting).withLink(record.CausedBy, answer.Entry)
	found, err := c.send(ctx, l, q)
	if open := (*verdict.Inconclusive)(nil); errors.As(err, &open) {
		return false, nil // another requirement covers a missing search
	}
	return err == nil && found.Shows(r), err
}

func (c *Caller) allFetched(all []*history.Release) bool {
	for _, r := range all {
		if len(c.History.FetchesOf(r.CID)) == 0 {
			return false
		}
	}
	return true
}

// poll calls condition at increasing intervals until it returns true. It returns the error of condition, or
// errWaitDeadline if ctx ended first.
func poll(ctx context.Context, condition func() (bool, error)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return errWaitDeadline
		}
		done, err := condition()
		switch {
		case err != nil && ctx.Err() != nil:
			return errWaitDeadline
		case done || err != nil:
			return err
		}
		timer.Reset(pause)
	}
}

// furtherPublication publishes more versions and waits until the index shows them. If the index showed
// nothing before, furtherPublication publishes nothing and only waits once more, for a short time.
func (c *Caller) furtherPublication(ctx context.Context, l *suites.Laboratory) error {
	begun, waitOnly := time.Now(), false
	switch err := c.History.Conclusion(history.Listing); {
	case len(c.KnownReleases) > 0:
		return verdict.NotObserved("a publication, since the index follows another registry and lists what the target file names")
	case err != nil && !isNothingShown(err):
		return err
	case err != nil && !c.Configured():
		return verdict.Undecided("the index shows no published capability, and only ACP_GATEWAY and ACP_REGISTRY contain the addresses")
	case err != nil:
		waitOnly = true
	}
	listed := c.History.Releases()
	if waitOnly {
		return c.waitForRelease(ctx, l, listed[0], min(longestPause, c.Subject.Deadlines.Slow))
	}
	if err := c.publishFurther(listed); err != nil {
		return err
	}
	for _, r := range c.History.Releases()[len(listed):] {
		if err := c.waitForRelease(ctx, l, r, c.Subject.Deadlines.Slow); err != nil {
			return err
		}
	}
	shown := time.Now()
	c.copiesAgree = shown.Add(max(shown.Sub(begun), minCopyDelay))
	return nil
}

// publishFurther publishes another capability, and a higher version of a listed one.
func (c *Caller) publishFurther(listed []*history.Release) error {
	if err := c.publish(c.Maker.NewPackage(), "1.0.0", newWords(), history.FurtherPublication); err != nil {
		return err
	}
	s := c.Maker.NewPackage()
	s.Label = listed[0].Name
	return c.publish(s, "3.0.0", listed[0].Words(), history.FurtherPublication)
}

// isNothingShown recognises errNothingShown in the form in which the history returns it.
func isNothingShown(err error) bool {
	var open *verdict.Inconclusive
	return errors.As(err, &open) && open.Reason == errNothingShown.Reason
}

// waitForRelease waits until the index shows a version. If it does not within the given time, a last
// query is marked as late enough to be judged.
func (c *Caller) waitForRelease(ctx context.Context, l *suites.Laboratory, r *history.Release,
	limit time.Duration) error {
	deadlineCtx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := poll(deadlineCtx, func() (bool, error) { return c.isShown(ctx, l, r, history.Waiting) })
	if !errors.Is(err, errWaitDeadline) {
		return err
	}
	_, err = c.isShown(ctx, l, r, history.WaitedFor)
	return err
}
