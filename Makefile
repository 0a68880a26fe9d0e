SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# Tools are pinned here and kept out of go.mod. `make test` needs none of them.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

TOOLS      := .tools
CAPCONFORM := bin/capconform

# What make dist builds. A tag is a version; without one, what is built is v0.0.0-devel.
DIST      ?= dist
VERSION   ?= $(shell git describe --tags --match 'v[0-9]*' --dirty 2>/dev/null || echo v0.0.0-devel)
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

TESTFLAGS ?=
PACKAGES  ?= ./cmd/capconform/internal/proof ./cmd/capconform ./... # the long ones start first
BENCHTIME ?= 3x

# The folder name carries the version, so that a new pin is a new folder.
staticcheck := $(TOOLS)/$(notdir $(STATICCHECK))/staticcheck

.PHONY: help
help: ## say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/capconform
	go build -o $(CAPCONFORM) ./cmd/capconform

# The collector takes a fifth of the time of short runs and tests, and the memory of a run is measured elsewhere.
test race: export GOGC ?= 400
test race: export GOMEMLIMIT ?= 4GiB

.PHONY: test
test: ## run every test, in random order
	go test -short -shuffle=on -p 8 -parallel 4 -timeout 20m $(TESTFLAGS) $(PACKAGES)

# Left out: the scripts, whose binary is built without the race detector; the proof of
# detection, of which a sample is run, with the hosts in it; the suites, which the sample runs over
# every driver; and packages whose tests start no goroutines, the root with its tests of the sources among them.
SERIAL = auto|defect|jsonvalue|live|matrix|plan|recording|rule|survey|nearest|starter|target|admission|document|fake|lint|jsonrpc|mapping|judge|history|shape|suitetest|cap/act|suites/(cap|chp|acp|acd|mcp)|acp/(compatibility|content|did|identifier|signature)
RACED = $$(go list ./... | grep -vE '/internal/tree$$|/cmd/capconform$$|/internal/(proof|hostile|bench)$$|/(reference|reports|schemas|spec|features)(/|$$)|/($(SERIAL))$$')

.PHONY: raced
raced: ## name the packages of which race runs every test
	@printf '%s\n' $(RACED)

.PHONY: race
race: ## run the tests with the race detector, and a sample of the proof of detection
	go test -race -short -shuffle=on -timeout 20m $(TESTFLAGS) $(RACED)
	go test -race -short -timeout 20m -run 'TestScenariosInParallel|TestStatusesAreEqualOverEveryDriver' $(TESTFLAGS) ./cmd/capconform/internal/proof
	go test -race -short -timeout 20m -run 'TestLawfulStylesOfHTTPAreNotAccused|TestReferenceIsConformantOverStdio' $(TESTFLAGS) ./suites/mcp

.PHONY: check
check: ## run everything that .ci/run runs: the whole tests, the race detector, every driver, interop
	./.ci/run

.PHONY: staticcheck
staticcheck: $(staticcheck) ## run staticcheck alone, which takes seconds
	$(staticcheck) ./...

.PHONY: fmt
fmt: ## format the code
	gofmt -w $$(git ls-files '*.go')

.PHONY: corpus
corpus: build ## record the runs of the corpus again
	./reference/corpus/record $(CAPCONFORM)

.PHONY: members
members: ## change every member of every answer of the recorded runs, and judge each edit (minutes); a sample on live runs
	CAPCONFORM_MEMBERS=all CAPCONFORM_LIVE_MEMBERS=200 go test -count=1 -v -timeout 20m -run 'TestEachMemberOfEachAnswer|TestMembersThroughAProxy' ./cmd/capconform/internal/proof

# Each fuzz target gets this budget: a time, or a number of inputs such as 2000x. Those of
# internal/hostile run the whole command several times for each input; the seeds count too.
FUZZTIME ?= 5s
FUZZRUNS ?= 40x

.PHONY: fuzz
fuzz: ## give each fuzz target its budget; fails where one executes nothing
	@git grep -h -o -E '^func Fuzz[A-Za-z]+' -- '*_test.go' > /dev/null # there are targets
	@for file in $$(git grep -l -E '^func Fuzz' -- '*_test.go'); do \
	  for target in $$(grep -o -E '^func Fuzz[A-Za-z]+' $$file | cut -c6-); do \
	    echo "$$target of $$(dirname $$file)"; \
	    budget=$(FUZZTIME); [[ $$file != */hostile/* ]] || budget=$(FUZZRUNS); \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $$budget ./$$(dirname $$file) | tee /dev/stderr | grep -E 'execs: [1-9]' > /dev/null; \
	  done; \
	done

.PHONY: bench
bench: ## measure speed and memory; prints ratios and rates
	go test -run '^$$' -bench . -benchtime $(BENCHTIME) $(BENCHFLAGS) -timeout 20m ./cmd/capconform/internal/bench

.PHONY: hostile
hostile: build ## run against every hostile host and document, and write docs/HOSTILE.md
	go run ./cmd/hostile -program $(CAPCONFORM) -write docs/HOSTILE.md

.PHONY: interop
interop: ## examine real servers and compare with what was judged by hand (needs Node.js)
	./interop/run

.PHONY: interop-mcp
interop-mcp: build ## examine MCP servers from npm, and compare with another suite (hours; needs Node.js)
	./interop/mcp/run
	./interop/mcp/side/run

.PHONY: published
published: ## keep the reports that make interop made of other hosts in reports/published
	cp interop/out/published/*.json reports/published/

.PHONY: selftest
selftest: build ## put every mutant, variant and null host through the suites
	$(CAPCONFORM) selftest $(SELFTESTFLAGS)

.PHONY: golden
golden: build ## write the golden files of ids, and of what hosts leave undecided (GOLDENFLAGS: flags of selftest)
	go test ./spec -run 'TestIDsAreStable|TestSetsOfEditionsAreFrozen' -count=1 -update
	$(CAPCONFORM) selftest --golden cmd/capconform/internal/proof/golden $(GOLDENFLAGS)
	go test ./cmd/capconform/internal/proof -run TestBlockedRequirementsAreThoseOfTheGoldenFiles -count=1 -update

.PHONY: coverage
coverage: build ## show requirement x scenario x mutant; fails where a gate is open
	$(CAPCONFORM) coverage

.PHONY: illustrations
illustrations: ## make the runs that explain and the page show, and keep what they show in reports/format/illustrations
	go test ./cmd/capconform/internal/proof -run "TestIllustrations(OfMCP)?AreOfRealRuns" -count=1 -update

.PHONY: patterns
patterns: ## run the mutants, and keep in reports/nearest/patterns which failures show them
	go test ./cmd/capconform/internal/proof -run TestPatternsAreOfRealRuns -count=1 -timeout 30m -update

.PHONY: hints
hints: ## measure on a host in Python how often failures name the known defect that caused them (minutes)
	CAPCONFORM_PATTERNS=all go test -count=1 -v -timeout 30m -run TestHintsOnAHostOfAnotherBuild ./cmd/capconform/internal/proof

.PHONY: dist
dist: ## build a release into $(DIST): binaries, archives, npm packages, an image, manifests, checksums
	release/build "$(abspath $(DIST))" "$(VERSION)" $(PLATFORMS)

.PHONY: dist-check
dist-check: ## build a release twice in other folders, compare the digests, and try what was built
	release/check $(PLATFORMS)

.PHONY: readme
readme: build ## write the generated table into README.md
	table=$$($(CAPCONFORM) coverage --markdown) && TABLE="$$table" awk '/^<!-- coverage: end/ { skip = 0 } !skip { print } /^<!-- coverage: begin/ { print ENVIRON["TABLE"]; skip = 1 }' README.md > README.md.new && mv README.md.new README.md

$(staticcheck):
	GOBIN=$(abspath $(@D)) go install $(STATICCHECK)
