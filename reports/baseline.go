package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// baselineVersion is the version of the form of the file.
const baselineVersion = "1"

// Baseline lists the known failures of a subject. They change the exit status of a run, and no
// verdict.
type Baseline struct {
	Version  string         `yaml:"baseline"` // of the form of the file
	Failures []KnownFailure `yaml:"failures"` // each must fail, with its messages
	Flaky    []KnownFailure `yaml:"flaky"`    // each may fail with its messages, or pass
	// Inconclusive lists what the known failures leave undecided: each must be inconclusive, whatever the reason.
	Inconclusive []KnownFailure `yaml:"inconclusive,omitempty"`

	digest string
	tree   *yaml.Node
}

// KnownFailure is one known failure.
type KnownFailure struct {
	Requirement string `yaml:"requirement"` // its id
	Message     string `yaml:"message"`     // of the failure, from the report
	// Also are the messages of the other kinds of the failure, and of other scenarios.
	Also    []string `yaml:"also,omitempty"`
	Reason  string   `yaml:"reason"`  // why it is tolerated
	Issue   string   `yaml:"issue"`   // the address of the work on it
	Expires string   `yaml:"expires"` // the last day on which it is tolerated, such as 2027-03-31; empty: never
}

// dateForm is how the file writes a date.
const dateForm = time.DateOnly

// decoderMessages translates the messages of the decoder that mention Go types.
var decoderMessages = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{regexp.MustCompile(`field (\S+) not found in type reports\.Baseline$`),
		`unknown key $1; a baseline has the keys baseline, failures, flaky and inconclusive`},
	{regexp.MustCompile(`field (\S+) not found in type reports\.KnownFailure$`),
		`unknown key $1; a failure has the keys requirement, message, also, reason, issue and expires`},
	{regexp.MustCompile(`cannot unmarshal !!(seq|str|int|bool|map)( .*)? into reports\.\w+$`),
		`want keys with values here`},
}

// firstProblem reduces the list of the decoder to its first entry, in words for the user.
func firstProblem(err error) error {
	listed, ok := errors.AsType[*yaml.TypeError](err)
	if !ok || len(listed.Errors) == 0 {
		return err
	}
	first := listed.Errors[0]
	for _, m := range decoderMessages {
		first = m.theirs.ReplaceAllString(first, m.ours)
	}
	if more := len(listed.Errors) - 1; more > 0 {
		first += fmt.Sprintf(", and %d more: is this a file of --write-baseline?", more)
	}
	return errors.New(first)
}

// ReadBaseline reads a file of known failures. The error names the problem, with its line if it is
// known.
func ReadBaseline(text []byte) (*Baseline, error) {
	b := &Baseline{tree: &yaml.Node{}}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(b); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("reports: baseline: the file is empty")
		}
		return nil, fmt.Errorf("reports: baseline: %w", firstProblem(err))
	}
	if err := yaml.Unmarshal(text, b.tree); err != nil {
		return nil, fmt.Errorf("reports: baseline: %w", err)
	}
	if b.Version != baselineVersion {
		return nil, fmt.Errorf("reports: baseline: want baseline: %q at its head, got %q", baselineVersion, b.Version)
	}
	seen := map[string]bool{}
	for _, k := range slices.Concat(b.Failures, b.Flaky, b.Inconclusive) {
		_, expires := time.Parse(dateForm, k.Expires)
		switch {
		case k.Requirement == "" || k.Message == "":
			return nil, errors.New("reports: baseline: an entry lacks requirement or message")
		case seen[k.Requirement]:
			return nil, fmt.Errorf("reports: baseline: %s is listed twice", k.Requirement)
		case k.Expires != "" && expires != nil:
			return nil, fmt.Errorf("reports: baseline: %s: expires wants a date such as 2027-03-31, got %q", k.Requirement,
				k.Expires)
		}
		seen[k.Requirement] = true
	}
	sum := sha256.Sum256(text)
	b.digest = hex.EncodeToString(sum[:])
	return b, nil
}

// expired reports whether an entry is no longer tolerated on a day.
func (k KnownFailure) expired(on time.Time) bool {
	return k.Expires != "" && on.UTC().Format(dateForm) > k.Expires
}

// Judgement is the comparison of a baseline with a report.
type Judgement struct {
	Tolerated []string          // requirements that failed with the messages of the baseline
	Findings  []BaselineFinding // the differences between the two
}

// BaselineFinding is one difference between report and baseline.
type BaselineFinding struct {
	Kind        BaselineKind // what is wrong
	Requirement string       // its id
	Text        string       // what is true, and which edit of the baseline is right
}

// BaselineKind is the kind of a difference.
type BaselineKind string

// The kinds.
const (
	Unlisted  BaselineKind = "unlisted"  // it fails, and is not listed
	Different BaselineKind = "different" // it fails with other messages than listed
	Stale     BaselineKind = "stale"     // it is listed, and does not fail
	Expired   BaselineKind = "expired"   // its date has passed
)

// Judge compares a report with the baseline. It ignores sums, because their parts are compared, and
// the requirements that a partial run did not select.
func (b *Baseline) Judge(r *Report) Judgement {
	var j Judgement
	found := map[string]bool{}
	for _, p := range RequirementsOf(r) {
		found[p.Requirement.ID] = true
		switch q := p.Requirement; {
		case len(q.Scenarios) == 0 && q.Status == Failed: // a sum
		case slices.ContainsFunc(b.Inconclusive, func(k KnownFailure) bool { return k.Requirement == q.ID }):
			b.judgeInconclusive(&j, r, q)
		default:
			b.judge(&j, r, q)
		}
	}
	for _, k := range slices.Concat(b.Failures, b.Inconclusive) {
		if !found[k.Requirement] && !r.Run.Partial && r.UnfinishedBy() == "" {
			j.addFinding(Stale, k.Requirement, "it was not examined in this run; remove the entry, or examine its suite")
		}
	}
	return j
}

func (j *Judgement) addFinding(kind BaselineKind, id, format string, args ...any) {
	j.Findings = append(j.Findings, BaselineFinding{kind, id, fmt.Sprintf(format, args...)})
}

// judge compares one requirement.
func (b *Baseline) judge(j *Judgement, r *Report, q *Requirement) {
	k, flaky, listed := b.entry(q.ID)
	broken := q.Status == Failed && classOf(q.Level).breaks(r.Run.Strict)
	fails := q.Status == Failed || flaky && q.Status == Error
	got, want := messagesOf(q), append([]string{k.Message}, k.Also...)
	unknown, gone := without(got, want), without(want, got)
	switch {
	case !listed && broken:
		j.addFinding(Unlisted, q.ID, "it fails and is not listed; fix it, or add an entry with the message %q", causeOf(q))
	case !listed:
	case fails && len(unknown) == len(got) && broken:
		j.addFinding(Different, q.ID, "it fails with %q, but is listed with %q; fix the new failure, or edit the message",
			got[0], k.Message)
	case fails && len(unknown) > 0 && broken:
		j.addFinding(Different, q.ID, "it fails with %q, too; fix the new failure, or add the message under also", unknown[0])
	case fails && len(unknown) > 0:
		j.addFinding(Stale, q.ID, "it ends with %q, but is listed with %q; edit the message", unknown[0], k.Message)
	case fails:
		j.Tolerated = append(j.Tolerated, q.ID)
		if len(gone) > 0 && !flaky {
			j.addFinding(Stale, q.ID, "it does not fail with %q now; remove that message", gone[0])
		}
		if k.expired(r.Run.StartedAt) {
			j.addFinding(Expired, q.ID, "it was tolerated until %s; fix it, or enter a new date and a reason", k.Expires)
		}
	case flaky || q.Reason == NotSelected || r.UnfinishedBy() != "":
	case q.Status == Passed || q.Status == Provided:
		j.addFinding(Stale, q.ID, "it is %s now; remove the entry", q.Status)
	default:
		j.addFinding(Stale, q.ID,
			"it is %s now, so it is unknown whether it still fails (%s); have it judged, or remove the entry",
			q.Status.Mark().Word, q.Cause())
	}
}

// judgeInconclusive compares a requirement that the known failures leave undecided.
func (b *Baseline) judgeInconclusive(j *Judgement, r *Report, q *Requirement) {
	k := b.Inconclusive[slices.IndexFunc(b.Inconclusive, func(k KnownFailure) bool { return k.Requirement == q.ID })]
	switch {
	case q.Status == Inconclusive:
		j.Tolerated = append(j.Tolerated, q.ID)
		if k.expired(r.Run.StartedAt) {
			j.addFinding(Expired, q.ID, "it was tolerated until %s; fix what leaves it undecided, or enter a new date and a reason",
				k.Expires)
		}
	case q.Status == Failed && classOf(q.Level).breaks(r.Run.Strict):
		j.addFinding(Unlisted, q.ID, "it fails and is listed as inconclusive; fix it, or add an entry with the message %q",
			causeOf(q))
	case q.Reason == NotSelected || r.UnfinishedBy() != "":
	default:
		j.addFinding(Stale, q.ID, "it is %s now; remove the entry", q.Status.Mark().Word)
	}
}

// messagesOf returns the messages of all kinds of failure of a requirement. The first is its cause.
func messagesOf(q *Requirement) []string {
	all := []string{causeOf(q)}
	for _, sc := range q.Scenarios {
		if sc.Status != q.Status || sc.Failure == nil {
			continue
		}
		found := []string{sc.Failure.Message}
		for _, kind := range sc.Failure.Kinds {
			found = append(found, kind.Message)
		}
		for _, message := range found {
			if message = strings.ToValidUTF8(message, "\uFFFD"); message != "" && !slices.Contains(all, message) {
				all = append(all, message)
			}
		}
	}
	return all
}

// without returns the messages that are not among others.
func without(messages, others []string) []string {
	return slices.DeleteFunc(slices.Clone(messages), func(m string) bool { return slices.Contains(others, m) })
}

// causeOf returns the reason why a requirement is not met, in the form of the file.
func causeOf(q *Requirement) string { return strings.ToValidUTF8(q.Cause(), "\uFFFD") }

func (b *Baseline) entry(id string) (k KnownFailure, flaky, listed bool) {
	for _, k := range b.Failures {
		if k.Requirement == id {
			return k, false, true
		}
	}
	for _, k := range b.Flaky {
		if k.Requirement == id {
			return k, true, true
		}
	}
	return KnownFailure{}, false, false
}

// Apply adds to the report which known failures the run tolerated.
func (b *Baseline) Apply(r *Report, j Judgement) {
	r.Run.Baseline = &BaselineUse{SHA256: b.digest, Tolerated: j.Tolerated}
	r.Settle()
}

// Exit returns the exit status of a run with a baseline: that of the report without the tolerated
// failures, and ExitStale if an entry is stale or expired.
func (j Judgement) Exit(r *Report, p Policy) Exit {
	p.Tolerated = j.Tolerated
	exit := ExitStatus(r, p)
	for _, f := range j.Findings {
		if f.Kind == Stale || f.Kind == Expired {
			exit = WorstExit(exit, ExitStale)
		}
	}
	return exit
}
