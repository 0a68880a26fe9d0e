package mutant

import (
	"slices"
	"strings"
)

// What is seen on parts of a package alone: without the part nothing is asked.
const (
	onPrompt   = "ACP-FILE-03 "
	onSchema   = "ACP-TERM-04 ACP-TERM-08 ACP-FILE-06 ACP-FIELD-03 ACP-STATE-10 ACP-STATE-17 ACP-STATE-18 "
	onTools    = "ACP-FILE-04 ACP-FILE-07 ACP-FILE-08 ACP-FILE-09 ACP-FIELD-04 ACP-BIND-02 " + onVerbs
	onVerbs    = "ACP-STATE-08 ACP-STATE-13 ACP-STATE-14 ACP-STATE-15 "
	onBindings = "ACP-FILE-05 ACP-BIND-03 ACP-BIND-04 ACP-BIND-12 ACP-BIND-13 ACP-BIND-14 ACP-BIND-15 ACP-BIND-16 ACP-BIND-17 ACP-BIND-20 ACP-BIND-21 "
	onTriggers = "ACP-FIELD-05 ACP-FIELD-16 ACP-FIELD-18 ACP-FIELD-19 ACP-FIELD-21 "
	onModels   = "ACP-FIELD-07 ACP-FIELD-08 ACP-FIELD-09 ACP-FIELD-10 ACP-FIELD-11 "
	onToken    = "ACP-FIELD-13 ACP-FIELD-20 "
	onID       = "ACP-TERM-07 ACP-TERM-08 "
)

// lossesOfPackages are what can't be seen any more once a requirement is broken,
// by its id; or once it is broken in one way, by the name of the revision.
func lossesOfPackages() map[string]loss {
	lost := func(inconclusive, notApplicable string) loss {
		return loss{inconclusive: strings.Fields(inconclusive), notApplicable: strings.Fields(notApplicable)}
	}
	file := lost("ACP-TERM-07 ACP-FILE-01 ACP-FILE-02 ACP-FILE-10 ACP-FILE-11 ACP-FILE-12 ACP-FIELD-01 ACP-FIELD-14 ACP-FIELD-17 ACP-STATE-16 ACP-STATE-19 ACP-STATE-20",
		onPrompt+onSchema+onTools+onBindings+onTriggers+onModels+onToken)
	text := lost("ACP-TERM-04 ACP-TERM-08 ACP-FIELD-03 ACP-FIELD-04 ACP-STATE-10 ACP-STATE-17 ACP-STATE-18", "")
	return map[string]loss{
		"other-format": file, "other-sections": file, "later-format": file, "flat": file, "ACP-TERM-01": file,
		"ACP-FILE-01":  lost(onID+onVerbs+"ACP-FILE-12 ACP-FIELD-01 ACP-FIELD-14 ACP-FIELD-17 ACP-STATE-16 ACP-STATE-19 ACP-STATE-20", onTriggers+onModels+onToken),
		"ACP-FILE-02":  lost("", onSchema),
		"ACP-FILE-05":  lost("ACP-BIND-02 "+strings.TrimPrefix(onBindings, "ACP-FILE-05 "), ""),
		"schema-comma": text, "schema-no-json": text, "schema-list": text, "schema-boolean": text,
		"ACP-FIELD-01": lost(onID+"ACP-FIELD-14", ""), "ACP-FIELD-14": lost(onID, ""), "ACP-FIELD-03": lost("ACP-TERM-04 ACP-TERM-08 ACP-FIELD-04", ""),
		"triggers-mapping": lost("ACP-FIELD-16 ACP-FIELD-18 ACP-FIELD-19 ACP-FIELD-21", ""), "triggers-text": lost("ACP-FIELD-16 ACP-FIELD-18 ACP-FIELD-19 ACP-FIELD-21", ""),
		"ACP-FIELD-17": lost("", onTriggers), "ACP-FIELD-07": lost("ACP-FIELD-08 ACP-FIELD-09 ACP-FIELD-10 ACP-FIELD-11", ""), "ACP-FIELD-20": lost("", "ACP-FIELD-13"),
		"tool-alone": lost("", onBindings), "permissions-list": lost(onVerbs+"ACP-STATE-20", ""),
	}
}

// lossOfPackage finds them: what is named counts before what is broken.
func lossOfPackage(r revision) loss {
	losses := lossesOfPackages()
	for _, key := range []string{r.name, r.requirement} {
		if lost, known := losses[key]; known && r.requirement != "" {
			return loss{inconclusive: slices.Clone(lost.inconclusive), notApplicable: slices.Clone(lost.notApplicable)}
		}
	}
	return loss{}
}
