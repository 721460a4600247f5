TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/kingdom-tools
GOLANGCI := $(TOOLS)/golangci-lint-v2.15.0
GOFUMPT := $(TOOLS)/gofumpt-v0.12.0
SEED ?= 42
MUTATED := ./det ./wire ./wire/codec ./goals ./memory ./agent ./ooda ./world ./world/mint ./world/agora ./world/nexus ./world/oracle ./world/vault ./world/forge ./world/portal \
	./engine/journal ./llm ./llm/scripted ./llm/spend ./llm/recorded ./scenarios ./observe ./watch ./fetch
PKG ?= $(MUTATED)
# The race detector watches all code but SQLite, which is C translated to Go, locks for itself, and would take half of the tests' time.
RACE := -race '-gcflags=modernc.org/...=-race=false -d=checkptr=0'
# Test files for which the race detector is too slow or of no use; docs/HACKING.md says which.
UNRACED = $(shell grep -rl --include='*_test.go' '^//go:build !race' .)

.DEFAULT_GOAL := help
.PHONY: help run build test check lint fmt bench sim fuzz mutate docs cassette

help: ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

run: build ## run epoch 0 and say what happened
	@bin/kingdom run epoch0 --seed $(SEED)

build: ## build bin/kingdom
	@CGO_ENABLED=0 go build -o bin/kingdom ./cmd/kingdom

test: ## install what the tests need and run them all, with the race detector
	@.ci/need
	go test $(RACE) -shuffle=on -timeout 50m ./...
	go test -shuffle=on -run "^($$(sed -nE 's/^func (Test[A-Za-z0-9_]+)\(.*/\1/p' $(UNRACED) | paste -sd '|'))$$" $(sort $(dir $(UNRACED)))
	go test -tags stded25519 ./wire ./world/vault

check: fmt lint test ## format, vet, lint, tests

lint: $(GOLANGCI) $(GOFUMPT) ## format check, vet and the linters
	@test -z "$$($(GOFUMPT) -l .)" || { echo "not formatted (make fmt):"; $(GOFUMPT) -l .; exit 1; }
	go vet ./...
	$(GOLANGCI) run ./...

fmt: $(GOFUMPT) ## format the sources
	@$(GOFUMPT) -w .

bench: ## run the benchmarks of docs/benchmarks.md
	go test -run '^$$' -bench . -benchmem ./...

sim: build ## inject faults under SEED and compare with the undisturbed run
	go test -count=1 -run TestSim ./cmd/kingdom -sim.seed=$(SEED) -v

fuzz: ## fuzz every decoder for ten seconds
	@.ci/fuzz 10s

mutate: ## break packages in many small ways, list what no test notices, fail below the shares of docs/HACKING.md (PKG=./goals)
	go run ./internal/mutate $(PKG)

docs: ## regenerate the generated pages of docs/
	go test ./wire ./wire/action ./scenarios ./sql/sqltest ./cmd/kingdom -run 'Reference|Docs' -update

cassette: ## record the committed thoughts of epoch0-llm anew, after a change of prompts or behaviour
	go test ./cmd/kingdom -run TestCassette -update

$(GOLANGCI):
	@mkdir -p $(TOOLS)
	GOBIN=$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
	@mv $(TOOLS)/golangci-lint $@

$(GOFUMPT):
	@mkdir -p $(TOOLS)
	GOBIN=$(TOOLS) go install mvdan.cc/gofumpt@v0.12.0
	@mv $(TOOLS)/gofumpt $@
