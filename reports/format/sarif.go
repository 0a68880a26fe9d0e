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

// The members of SARIF 2.1.0 that we write.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
	Properties  reports.Outcome   `json:"properties"` // verdict and counts
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string             `json:"id"`
	Short         sarifText          `json:"shortDescription"`
	Help          *sarifText         `json:"help,omitempty"`
	HelpURI       string             `json:"helpUri,omitempty"`
	Configuration sarifConfiguration `json:"defaultConfiguration"`
	Properties    sarifRuleTags      `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifRuleTags struct {
	Tags    []string `json:"tags"`
	Section string   `json:"section"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	CommandLine   string              `json:"commandLine,omitempty"`
	Start         string              `json:"startTimeUtc"`
	End           string              `json:"endTimeUtc"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Fixes        []sarifFix        `json:"fixes,omitempty"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"` // behind the last character
}

// writeSARIF writes a rule for each requirement and a result for each finding of
// one that failed, and for each remark; what could not be judged is an open result. A live target has
// no files, so its results have no place.
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
		catalogue := o.catalogue(s.Suite)
		for j := range s.Requirements {
			q := &s.Requirements[j]
			rule := len(run.Tool.Driver.Rules)
			run.Results = append(append(run.Results, sarifResults(q, rule, strict)...), sarifRemarks(q, rule)...)
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
			"capconform explain "+q.ID))
		rule.Help, rule.HelpURI = &help, catalogueURI(r.Harness, s.Suite)
	}
	return rule
}

// catalogueURI is where the catalogue of a suite is read online: that of the release which
// made the report, of its commit, or of the development.
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

// sarifResults gives a result for each place where the requirement is broken,
// once each, or one without a place.
func sarifResults(q *reports.Requirement, rule int, strict bool) []sarifResult {
	words := wordingOf(reports.MarkOf(q, strict))
	if words.kind == "" {
		return nil
	}
	places := placesOf(q)
	if len(places) == 0 {
		places = []reports.Finding{{Message: display.FoldBreaks(q.Cause())}}
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

// sarifRemarks gives a result for each remark: a warning or a note beside a
// requirement that may well be kept.
func sarifRemarks(q *reports.Requirement, rule int) []sarifResult {
	var all []sarifResult
	for _, remark := range remarksOf(q) {
		words := wording{kind: "fail", level: "note"} // a level wants this kind
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

// sarifFixes gives the one fix of a finding that says what to write, and where that ends.
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

// sarifMessage makes text safe: what looks like an embedded link is none.
func sarifMessage(text string) sarifText {
	return sarifText{strings.ReplaceAll(display.LinesText(text), "](", "] (")}
}

// sarifURI gives a path as a URI: relative as long as the path is.
func sarifURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}

// sarifFingerprint tells a finding from others, whatever its line.
func sarifFingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
