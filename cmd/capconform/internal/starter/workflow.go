package starter

import (
	"fmt"
	"strings"
)

const workflowHead = `Examines the host on each push. With a baseline, the job passes while exactly the
known failures remain; a new failure makes it fail.`

// Workflow returns the text of a GitHub workflow that examines the target. It returns ErrContentDiffers
// if the text does not have the intended content.
func (f Facts) Workflow() ([]byte, error) {
	if strings.Contains(f.Target, "${{") { // a runner would evaluate it
		return nil, fmt.Errorf("starter: a workflow can't contain the path %q", f.Target)
	}
	build := "Build your host here."
	with := mapping{{key: "target", value: f.Target, above: "baseline: capconform-baseline.yaml"}}
	if f.URL != "" {
		build = "Build your host here, and start it in the background."
		with = append(with, member{key: "wait", value: word("30s")})
	}
	examine := mapping{
		{key: "uses", value: word("capconform/capconform@" + f.Release), above: build},
		{key: "with", value: with},
	}
	var env mapping
	for _, name := range f.Variables() {
		env = append(env, member{key: name, value: word("${{ secrets." + name + " }}")})
	}
	if len(env) > 0 {
		examine = append(examine, member{key: "env", value: env})
	}
	job := mapping{
		{key: "runs-on", value: word("ubuntu-latest")},
		{key: "timeout-minutes", value: 15},
		{key: "steps", value: list{{{key: "uses", value: word("actions/checkout@v5")}}, examine}},
	}
	return write(mapping{
		{key: "name", value: word("capconform")},
		{key: "on", value: mapping{
			{key: "push", value: mapping{{key: "branches", value: words{"main"}}}}, {key: "pull_request", value: nil},
		}},
		{key: "permissions", value: mapping{{key: "contents", value: word("read")}}},
		{key: "jobs", value: mapping{{key: "capconform", value: job}}},
	}, workflowHead, "")
}
