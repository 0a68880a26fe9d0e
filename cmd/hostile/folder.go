package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
)

// folderText is the files of a small text of one's own: a host counts.
func folderText() map[string]string {
	return map[string]string{
		"catalogue.yaml": `{suite: count, title: Counting, version: "1", requirements: [{id: COUNT-1-01, level: MUST, section: "1", actor: host,
  summary: A count grows., fingerprint: [c9a5a041c4858590a8d3a37b9e33740e8fc0121867eda1f5987f38095a8a83af], check: live,
  satisfy: Add one.}]}
`,
		"protocol.yaml":             "{suite: count, operations: {count.next: {result: count, reads: true}}, kinds: {step: {of: count.next}}}\n",
		"schemas/count.schema.json": `{"type": "object", "properties": {"n": {"type": "integer"}}}`,
		"stimuli.yaml":              "- {stimulus: steps, times: 1000, call: count.next}\n",
		"rules.yaml":                ruleWith("later.result.n > earlier.result.n"),
		"features/count.feature":    "Feature: Counting\n  @COUNT-1-01\n  Scenario: A count grows\n    Then each count grows\n",
	}
}

func ruleWith(demand string) string {
	return fmt.Sprintf("- sentence: each count grows\n  each: [earlier: step, later: step]\n  if: before(earlier, later)\n"+
		"  must: |\n    %s\n  message: m\n  got: later.answer\n", demand)
}

// folders returns folders of texts of one's own that are hard to read or to apply.
func folders() []document {
	one := func(name, summary, file string, write func(*bufio.Writer), statuses ...int) document {
		files := map[string]func(*bufio.Writer){}
		for name, text := range folderText() {
			files[name] = repeated(text, "", "", 0)
		}
		files[file] = write
		return document{name, summary, files, statuses}
	}
	rules := func(name, summary, demand string) document {
		return one(name, summary, "rules.yaml", repeated(ruleWith(demand), "", "", 0), 0, 1, 6)
	}
	stimuli := func(name, summary, value string) document {
		return one(name, summary, "stimuli.yaml", repeated(folderText()["stimuli.yaml"]+
			"- {stimulus: large, call: count.next, params: {x: \""+value+"\"}}\n", "", "", 0), 0, 1, 6)
	}
	const text = "Feature: F\n  @COUNT-1-01\n  Scenario Outline: S\n    Then each count grows\n    Examples:\n      | a |\n"
	const anySchema = `{"$ref": "#/$defs/d0", "$defs": {"d30": {"type": "integer"}`
	return []document{
		one("10-mb", "Rules of 10 MB.", "rules.yaml", repeated("", "# a comment\n", "", 900_000), 2),
		one("alias-bomb", "Rules with aliases that expand to 10^9 values.", "rules.yaml", writeAliasBomb, 2),
		one("many-rules", "15,000 rules with one sentence.", "rules.yaml",
			repeated("", "- {sentence: each count grows, each: call, must: 'true', message: m}\n", "", 15_000), 2),
		one("deep-yaml", "A stimulus of 100,000 levels.", "stimuli.yaml", repeated("- ", "[", "", 100_000), 2),
		one("schema-bomb", "A schema of 2^30 references.", "schemas/count.schema.json", func(w *bufio.Writer) {
			fmt.Fprint(w, anySchema)
			for i := range 30 {
				fmt.Fprintf(w, `, "d%d": {"allOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, i, i+1, i+1)
			}
			fmt.Fprint(w, "}}")
		}, 0, 1, 2, 6),
		one("pattern-bomb", "A pattern that takes exponential time.", "schemas/count.schema.json",
			repeated(`{"properties": {"text": {"pattern": "^(a|aa|a?)*b`, "", `$"}}}`, 0), 0, 1, 2, 6),
		one("outline-bomb", "A scenario outline of 100,000 rows.", "features/count.feature",
			repeated(text, "      | x |\n", "", 100_000), 0, 1, 2, 6),
		rules("loops", "A rule of four loops over 1,000 calls.",
			"run.steps.all(a, run.steps.all(b, run.steps.all(c, run.steps.all(d, a.n + b.n + c.n + d.n > 0))))"),
		rules("large-lists", "A rule that makes lists of lists of 1,000 calls.",
			"size(run.steps.map(a, run.steps.map(b, run.steps.map(c, json(c.result))))) > 0"),
		rules("large-texts", "A rule that doubles a text 30 times.",
			`["xxxxxxxxxxxxxxxx"]`+strings.Repeat(".map(x, x + x)", 30)+`[0] != ""`),
		stimuli("large-params", "A stimulus that makes params of 1 GB.", "run.steps.map(s, repeat('x', 1048576))"),
		one("many-params", "1,000 calls with params of 1 MB.", "stimuli.yaml", repeated(folderText()["stimuli.yaml"]+
			"- {stimulus: large, times: 1000, call: count.next, params: {x: \"repeat('x', 1048000)\"}}\n", "", "", 0), 0, 1, 6),
		one("large-answers", "1,000 calls, each with an answer of 1 MB.", "stimuli.yaml",
			repeated(folderText()["stimuli.yaml"]+
				"- {stimulus: large, times: 1000, call: count.next, params: {long: \"true\"}}\n", "", "", 0), 0, 1, 6),
		one("no-place", "An expression that CEL cannot read at all.", "rules.yaml",
			repeated(ruleWith(strings.Repeat("[", 300)+strings.Repeat("]", 300)), "", "", 0), 2),
	}
}

// folderTrials returns the runs with hostile folders, against a host that counts.
func folderTrials(self, folder string) []trial {
	var all []trial
	for _, d := range folders() {
		at := filepath.Join(folder, "text-"+d.name)
		token := "trial-folder-" + d.name
		args := []string{"run", "--suite", at, "--timeout", runTimeout.String(), "--call-timeout", callTimeout.String(), "--",
			self,
			"count", token}
		all = append(all, trial{group: "folder", name: d.name, summary: d.summary, statuses: d.statuses, args: args,
			token:      token,
			writeFiles: writeInFolder(at, maps.Clone(d.files))})
	}
	return all
}

// count answers every call with a number that grows, and a text.
func count(_ context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		text := strings.Repeat("a", 60) + "!"
		var request struct {
			ID     json.RawMessage
			Params struct{ Long bool }
		}
		if json.Unmarshal(line, &request) == nil && request.ID != nil {
			if request.Params.Long {
				text = strings.Repeat(text, 1<<14)
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"n":%d,"text":%q}}`+"\n", request.ID, n, text)
		}
		if err != nil {
			return nil
		}
	}
}
