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
	build := "Replace true by the commands that build your host."
	if f.URL != "" {
		build = "Replace true by the commands that build your host and start it in the background."
	}
	steps := list{
		{{key: "uses", value: word("actions/checkout@v5")}},
		{{key: "name", value: word("Build the host")}, {key: "run", value: word("true"), above: build}},
	}
	examine := f.byProgram()
	if f.Release != "" {
		examine = f.byAction()
	}
	var env mapping
	for _, name := range f.Variables() {
		env = append(env, member{key: name, value: word("${{ secrets." + name + " }}")})
	}
	if f.Release == "" {
		env = append(env, member{key: targetVariable, value: f.Target})
	}
	if len(env) > 0 {
		examine = append(examine, member{key: "env", value: env})
	}
	job := mapping{
		{key: "runs-on", value: word("ubuntu-latest")},
		{key: "timeout-minutes", value: 15},
		{key: "steps", value: append(steps, examine)},
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

// byAction returns the step that examines the target by the action of the release.
func (f Facts) byAction() mapping {
	with := mapping{{key: "target", value: f.Target, above: "baseline: capconform-baseline.yaml"}}
	if f.URL != "" {
		with = append(with, member{key: "wait", value: word("30s")})
	}
	return mapping{{key: "uses", value: word("capconform/capconform@" + f.Release)}, {key: "with", value: with}}
}

// targetVariable is the variable with which a step passes the path of the target file to a shell, which must not
// read it.
const targetVariable = "CAPCONFORM_TARGET_FILE"

// unreleased says what a workflow needs that cannot refer to a release.
const unreleased = `This capconform is not a release. Build it from its source, by
go build ./cmd/capconform, and put it on the PATH of this job.`

// byProgram returns the step that examines the target by the program on the PATH.
func (f Facts) byProgram() mapping {
	run := "capconform run"
	if f.URL != "" {
		run += " --wait 30s"
	}
	return mapping{
		{key: "name", value: word("Examine the host"), above: unreleased},
		{key: "run", value: run + ` --report html=capconform.html "$` + targetVariable + `"`},
	}
}
