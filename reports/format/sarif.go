package format

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
)

// The members of SARIF 2.1.0 that this package writes.
type sarifLog struct {
	Schema  string     `json:"$schema"` // its address
	Version string     `json:"version"` // of SARIF
	Runs    []sarifRun `json:"runs"`    // one
}

// sarifRun is a run (section 3.14).
type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"` // one
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"` // columns count Unicode code points
	Properties  reports.Outcome   `json:"properties"` // verdict and counts
}

// sarifTool is a tool (section 3.18).
type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

// sarifDriver is a toolComponent (section 3.19).
type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"` // one for each requirement
}

// sarifRule is a reportingDescriptor (section 3.49).
type sarifRule struct {
	ID            string             `json:"id"`                   // of the requirement
	Short         sarifText          `json:"shortDescription"`     // the summary
	Help          *sarifText         `json:"help,omitempty"`       // how to satisfy it; nil without a catalogue
	HelpURI       string             `json:"helpUri,omitempty"`    // of the catalogue
	Configuration sarifConfiguration `json:"defaultConfiguration"` // the level if it is broken
	Properties    sarifRuleTags      `json:"properties"`
}

// sarifConfiguration is a reportingConfiguration (section 3.50).
type sarifConfiguration struct {
	Level string `json:"level"` // error, warning, note or none
}

type sarifRuleTags struct {
	Tags    []string `json:"tags"`    // suite and level
	Section string   `json:"section"` // of the text
}

// sarifText is a message (sections 3.11 and 3.12).
type sarifText struct {
	Text string `json:"text"`
}

// sarifInvocation is an invocation (section 3.20).
type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`                  // the run finished
	CommandLine   string              `json:"commandLine,omitempty"`                // Run.Command
	Start         string              `json:"startTimeUtc"`                         // RFC 3339 in UTC, with ms
	End           string              `json:"endTimeUtc"`                           // as Start
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"` // why it did not finish
}

// sarifNotification is a notification (section 3.58).
type sarifNotification struct {
	Level   string    `json:"level"` // error
	Message sarifText `json:"message"`
}

// sarifResult is a result (section 3.27).
type sarifResult struct {
	RuleID       string            `json:"ruleId"`    // ID of a rule
	RuleIndex    int               `json:"ruleIndex"` // of the rule among Rules, from 0
	Kind         string            `json:"kind"`      // fail, or open with the level none
	Level        string            `json:"level"`     // error, warning, note or none
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"` // at most one; the target file for a live target
	Fingerprints map[string]string `json:"partialFingerprints"` // SHA-256 of requirement, file and message
	Fixes        []sarifFix        `json:"fixes,omitempty"`     // at most one
}

// sarifFix is a fix (section 3.55).
type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

// sarifChange is an artifactChange (section 3.56).
type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

// sarifReplacement is a replacement (section 3.57).
type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"` // instead of Deleted
}

// sarifLocation is a location (section 3.28).
type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

// sarifPhysical is a physicalLocation (section 3.29).
type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"` // nil: the whole file
}

// sarifArtifact is an artifactLocation (section 3.4).
type sarifArtifact struct {
	URI string `json:"uri"` // relative as long as the path is
}

// sarifRegion is a region (section 3.30).
type sarifRegion struct {
	StartLine   int `json:"startLine"`             // from 1
	StartColumn int `json:"startColumn,omitempty"` // from 1
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"` // after the last character
}

// writeSARIF writes a rule for each requirement, a result for each finding of one that failed, and a
// result for each remark. A requirement that could not be judged is an open result. The place of the
// results of a live target is its target file, if the run had one.
func writeSARIF(w io.Writer, r *reports.Report, o Options) error {
	strict := o.Strict || r.Run.Strict
	run := sarifRun{
		Tool: sarifTool{
			sarifDriver{Name: "capconform", Version: display.LinesText(r.Harness.Version), Rules: []sarifRule{}},
		},
		Invocations: []sarifInvocation{invocationOf(r)},
		Results:     []sarifResult{}, ColumnKind: "unicodeCodePoints",
		Properties: r.Noted(),
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		catalogue := o.Catalogue(s.Suite)
		for j := range s.Requirements {
			q := &s.Requirements[j]
			rule := len(run.Tool.Driver.Rules)
			run.Results = append(append(run.Results, sarifResults(q, rule, strict, r.TargetFile())...), sarifRemarks(q, rule)...)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(r, s, q, catalogue, strict))
		}
	}
	return reports.WriteDocument(w, "sarif", sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func invocationOf(r *reports.Report) sarifInvocation {
	const instant = "2006-01-02T15:04:05.000Z"
	start := r.Run.StartedAt.UTC()
	v := sarifInvocation{
		Successful: true, CommandLine: display.LinesText(r.Run.Command),
		Start: start.Format(instant), End: start.Add(time.Duration(r.Run.DurationMS) * time.Millisecond).Format(instant),
	}
	if message := r.UnfinishedBy(); message != "" {
		v.Successful = false
		v.Notifications = []sarifNotification{{"error", sarifMessage(message)}}
	}
	return v
}

func sarifRuleOf(
	r *reports.Report,
	s *reports.Suite,
	q *reports.Requirement,
	catalogue *spec.Catalogue,
	strict bool,
) sarifRule {
	broken := reports.Requirement{Level: q.Level, Status: reports.Failed}
	rule := sarifRule{
		ID: q.ID, Short: sarifMessage(display.FoldBreaks(q.Summary)),
		Configuration: sarifConfiguration{wordingOf(reports.MarkOf(&broken, strict)).level},
		Properties:    sarifRuleTags{[]string{s.Suite, q.Level}, display.LinesText(display.FoldBreaks(q.Section))},
	}
	if about, known := catalogue.Lookup(q.ID); known {
		help := sarifMessage(display.Join("\n\n", display.FoldBreaks(about.Satisfy), display.FoldBreaks(about.Resolution),
			r.ExplainCommand(q.ID)))
		rule.Help, rule.HelpURI = &help, catalogueURI(r.Harness, s.Suite)
	}
	return rule
}

// catalogueURI returns the address of the catalogue of a suite: that of the release that made the
// report, of its commit, or of the development branch.
func catalogueURI(h reports.Harness, suite string) string {
	at := "main"
	switch {
	case released.MatchString(h.Version):
		at = h.Version
	case commit.MatchString(h.Commit):
		at = h.Commit
	}
	return "https://github.com/capconform/capconform/blob/" + at + "/spec/" + suite + ".yaml"
}

var (
	released = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)
	commit   = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// sarifResults returns a result for each place where the requirement is broken,
// once each, or one with the place of the target file.
func sarifResults(q *reports.Requirement, rule int, strict bool, targetFile string) []sarifResult {
	words := wordingOf(reports.MarkOf(q, strict))
	if words.kind == "" {
		return nil
	}
	places := placesOf(q)
	if len(places) == 0 {
		result := sarifResultOf(q, rule, words, reports.Finding{File: targetFile, Message: display.FoldBreaks(q.Cause())})
		result.Message = sarifMessage(strings.Join(explained(q), "\n"))
		return []sarifResult{result}
	}
	var all []sarifResult
	seen := map[reports.Finding]bool{}
	for _, f := range places {
		if seen[f] {
			continue
		}
		seen[f] = true
		all = append(all, sarifResultOf(q, rule, words, f))
	}
	return all
}

// sarifRemarks returns a result for each remark: a warning or a note on a requirement that may be
// kept.
func sarifRemarks(q *reports.Requirement, rule int) []sarifResult {
	var all []sarifResult
	for _, remark := range remarksOf(q) {
		words := wording{kind: "fail", level: "note"} // SARIF requires this kind with a level
		if remark.Weight == reports.Warning {
			words.level = "warning"
		}
		all = append(all, sarifResultOf(q, rule, words, remark.Finding))
	}
	return all
}

func sarifResultOf(q *reports.Requirement, rule int, words wording, f reports.Finding) sarifResult {
	result := sarifResult{
		RuleID: q.ID, RuleIndex: rule, Kind: words.kind, Level: words.level, Message: sarifMessage(f.Message),
		Fingerprints: map[string]string{"requirement/v1": sarifFingerprint(q.ID, f.File, f.Message)},
	}
	if f.File != "" {
		result.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{sarifURI(f.File)}, sarifRegionOf(f)}}}
		result.Fixes = sarifFixes(f)
	}
	return result
}

// sarifFixes returns the one fix of a finding, if the finding states the replacement and the end of
// its place.
func sarifFixes(f reports.Finding) []sarifFix {
	region := sarifRegionOf(f)
	if f.Replacement == "" || region == nil || region.EndColumn == 0 {
		return nil
	}
	return []sarifFix{{
		Description: sarifMessage("Write " + f.Replacement + "."),
		Changes: []sarifChange{{
			Artifact:     sarifArtifact{sarifURI(f.File)},
			Replacements: []sarifReplacement{{*region, sarifText{f.Replacement}}},
		}},
	}}
}

func sarifRegionOf(f reports.Finding) *sarifRegion {
	if f.Line <= 0 {
		return nil
	}
	region := &sarifRegion{StartLine: f.Line, StartColumn: max(f.Column, 0)}
	if f.Column > 0 && (f.EndLine > f.Line && f.EndColumn > 0 || f.EndLine == f.Line && f.EndColumn > f.Column) {
		region.EndLine, region.EndColumn = f.EndLine, f.EndColumn
	}
	return region
}

// sarifMessage makes text safe: a text in the form of an embedded link is not a link.
func sarifMessage(text string) sarifText {
	return sarifText{strings.ReplaceAll(display.LinesText(text), "](", "] (")}
}

// sarifURI returns a path as a URI, relative if the path is relative.
func sarifURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}

// sarifFingerprint identifies a finding independently of its line.
func sarifFingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
