# Everything that is done with this repository. Each target is a script in tests/make/, which says what it does.

.DEFAULT_GOAL := help
.PHONY: help setup run test soak bench bench-beside bench-memory bench-agent bench-code kills pseudo package lint clean

help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

setup: ## System packages and npm modules; quick when all is there
	@tests/make/setup.sh

run: ## The desktop program; without a display its whole journey in a virtual one, with pictures
	@tests/make/run.sh

test: ## Every check there is, small numbers
	@tests/make/test.sh

soak: ## The same promises with large numbers
	@tests/make/soak.sh

bench: ## Figures of this machine
	@tests/make/bench.sh

bench-beside: ## Figures of another state, named by BEFORE, and of this one, by turns
	@tests/make/bench-beside.sh

bench-memory: ## How well memory is searched, beside the peers' formulas, and how fast
	@tests/make/bench-memory.sh

bench-agent: ## Everyday tasks with the model at SHIDI_BENCH_URL: right, tokens, calls, seconds
	@tests/make/bench-agent.sh

bench-code: ## Questions about code, by the index and by grep, on the repositories at SHIDI_CODE_REPOSITORIES
	@tests/make/bench-code.sh

kills: ## A workflow killed at SHIDI_KILLS moments (200) that SHIDI_KILL_SEED draws
	@tests/make/kills.sh

pseudo: ## A program with one language more, and what it leaves in English
	@tests/make/pseudo.sh

package: ## A .deb and an .rpm in artefacts/packages/
	@tests/make/package.sh

lint: ## Format, lints, types, tidiness
	@tests/make/lint.sh

clean: ## Remove what was built here
	cargo clean
	cargo clean --manifest-path src-tauri/executor/worker/Cargo.toml
	rm -rf artefacts ui/dist ui/dist-scripted
