# authctl: `make demo` shows it, `make test` checks it, `make release` and `make install` build and install it.
PREFIX ?= /usr/local
DESTDIR ?=
# The Swift and C++ runtimes and SQLite go into the programs (Packaging/static-libraries), so that they need glibc, OpenSSL and
# libcurl alone. No library is looked for beside the program, whose directory may be anybody's, and every address is bound before
# `main` and read-only from then on. What a `token` and a sign-in run stands side by side (Packaging/order, Packaging/layout.ld),
# and functions that are the same instructions are there once: nothing in Swift asks which one a function is. Compiled for size
# it is no slower, as there is less to load. Nobody links against the program: it names none of its own functions to the loader,
# and nothing unwinds its stack at run time (debuggers read .eh_frame itself).
STATIC := $(CURDIR)/.build/static
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
  -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc --ld-path=$(STATIC)/ld -Xlinker --icf=all -Xlinker $(STATIC)/glibc.o \
  -Xlinker --no-export-dynamic -Xlinker --no-eh-frame-hdr \
  -Xlinker -z -Xlinker now -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker -T -Xlinker $(CURDIR)/Packaging/layout.ld \
  -Xlinker --symbol-ordering-file=$(CURDIR)/Packaging/symbol-order -Xlinker --no-warn-symbol-ordering
# The oldest C library that the programs start with: `make check-release` compares it with what they need.
GLIBC := 2.34
RELEASE_BIN := .build/release
# The build that the tests run. It is not optimized, like a debug build, but DEBUG is not defined: with DEBUG, ArgumentParser
# validates all options at each start, which takes six times as long. A repository test checks for duplicate option names.
UNOPTIMIZED := -c release -Xswiftc -Onone -Xswiftc -no-whole-module-optimization -Xswiftc -enable-batch-mode -Xswiftc -incremental \
  -Xswiftc -enable-testing
TEST := $(UNOPTIMIZED) --scratch-path .build/test
TEST_BIN := .build/test/release

.PHONY: all demo test test-one chaos torture simulate fuzz sanitize sanitize-address sanitize-thread sanitize-stories sanitize-valgrind coverage bench order release check-release install uninstall deb rpm tarball check-tarball release-files check-release-files image check-image completions schema manual docs site charts architecture check-api recording format clean

all: release

demo:
	.ci/install build
	swift build $(TEST)
	.ci/demo $(TEST_BIN)

test:
	.ci/install test
	Tests/run $(TEST)

# One test alone, as a failure of `make test` names it: `STORY='token.sh: Prints a token.' make test-one`, or by file and line,
# `FILTER=HTTPDateTests.swift:41 make test-one`.
test-one:
	swift build $(TEST) --build-tests
	swift test $(TEST) --skip-build --disable-xctest --no-parallel --filter "$${FILTER:-ScriptTests.swift}"

# SIGKILL at random moments: `make chaos KILLS=1000 SEED=1` repeats a run.
KILLS ?= 1000
chaos:
	.ci/install test
	swift build $(TEST)
	python3 Tests/Chaos/chaos.py $(TEST_BIN) --kills $(KILLS) $(if $(SEED),--seed $(SEED))

# Processes that share a store, in one process that a seed orders: `make simulate SEEDS=1000`. `make simulate SEED=7`
# shows what seed 7 does. The store is in memory where that is possible.
SEEDS ?= 300
simulate:
	.ci/install build
	AUTHCTL_SIMULATION=1 swift build $(TEST) --product Simulation
	if [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi; SWIFT_DETERMINISTIC_HASHING=1 \
	  $(TEST_BIN)/Simulation $(if $(SEED),--seed $(SEED),--seeds $(SEEDS) $(if $(FIRST),--first $(FIRST)))

# Each call of a kind (open, read, write, …) fails once, in each command: `make torture COMMANDS="signin token" CALLS="read write"
# SAMPLE=10` takes every tenth.
COMMANDS ?=
CALLS ?=
SAMPLE ?= 1
TORTURE_LIBRARY := .build/torture/fail_once.so
torture:
	.ci/install test
	swift build $(TEST)
	mkdir -p $(dir $(TORTURE_LIBRARY))
	$(CC) -std=gnu17 -O1 -Wall -Wextra -shared -fPIC -o $(TORTURE_LIBRARY) Tests/Torture/fail_once.c -ldl
	python3 Tests/Torture/torture.py $(TEST_BIN) $(TORTURE_LIBRARY) --sample $(SAMPLE) --commands "$(COMMANDS)" --calls "$(CALLS)"

# Coverage-guided fuzzing of every reader of foreign bytes: MINUTES of all processors, shared out among the readers, or READERS;
# `RUNS=N SEED=1` tries the same N inputs on each wherever it runs.
MINUTES ?= 10
RUNS ?=
READERS ?=
FUZZ_BUILD ?= release
fuzz:
	.ci/install build
	AUTHCTL_FUZZ=1 swift build -c $(FUZZ_BUILD) --disable-index-store --scratch-path .build/fuzz-$(FUZZ_BUILD) --product Fuzz
	RUNS=$(RUNS) SEED=$(SEED) Tests/Fuzz/run .build/fuzz-$(FUZZ_BUILD)/$(FUZZ_BUILD)/Fuzz $(MINUTES) $(READERS)

# The unit tests with every access to memory checked, then with every access by two threads; and stories with the program as it
# is released: optimized with the first sanitizer, and under valgrind.
SANITIZERS ?= address thread
# A lock that this sanitizer sees: AuthCore/Crypto/Lock.swift.
SANITIZE_thread := -Xswiftc -DTHREAD_SANITIZER
VALGRIND_STORIES ?= verify.sh,signin-two-steps.sh,refresh.sh
# Those in which the C libraries do the most: OpenSSL, libcurl, SQLite, libyaml, sd-bus and the kernel's keyring.
ADDRESS_STORIES ?= verify.sh,refresh.sh,mtls.sh,dpop.sh,config.sh,signin-two-steps.sh,signin-parallel.sh,vault-keyring.sh,vault-cache.sh
sanitize: $(SANITIZERS:%=sanitize-%) sanitize-stories sanitize-valgrind

# Without the test that measures this process's memory, which is the sanitizer's here, and without those that only parse
# command lines: they need no memory and no thread of their own.
sanitize-%: flags = $(UNOPTIMIZED) --sanitize $* --scratch-path .build/$* $(SANITIZE_$*)
sanitize-address sanitize-thread: sanitize-%:
	.ci/install test
	swift build $(flags) --build-tests
	Tests/Sanitize/run $* swift test $(flags) --skip-build --disable-xctest --no-parallel \
	  --skip ScriptTests --skip RepositoryTests --skip 'do not leak memory' \
	  --skip '(Hint|Usage|Example|DocumentedCommand|SignInOptions)Tests.swift'

sanitize-valgrind: release
	.ci/install sanitize
	swift build $(TEST) --build-tests
	AUTHCTL_BIN=$$(Tests/Sanitize/programs valgrind $(RELEASE_BIN)) AUTHCTL_STORIES=$(VALGRIND_STORIES) \
	  swift test $(TEST) --skip-build --disable-xctest --filter ScriptTests

sanitize-stories: flags = -c release --sanitize address --scratch-path .build/address-release -Xswiftc -Osize
sanitize-stories:
	.ci/install test
	swift build $(flags) --product authctl
	swift build $(flags) --product authctl-emulator
	swift build $(TEST) --build-tests
	AUTHCTL_BIN=$$(Tests/Sanitize/programs address .build/address-release/release) AUTHCTL_STORIES=$(ADDRESS_STORIES) \
	  swift test $(TEST) --skip-build --disable-xctest --filter ScriptTests.swift

# Which regions of the protocols' folders the tests run: `make coverage LIST=1` prints those that nothing ran, `STORIES=a.sh` takes
# only some stories.
COVERAGE := $(UNOPTIMIZED) --scratch-path .build/coverage -Xswiftc -Xllvm -Xswiftc -runtime-counter-relocation
coverage:
	.ci/install test
	swift build $(COVERAGE) --enable-code-coverage --build-tests
	Tests/Coverage/run .build/coverage/release $(if $(LIST),--list) $(if $(STORIES),--stories $(STORIES)) -- $(COVERAGE)

# Which commit this is, for --version; unknown outside a clone.
release: export AUTHCTL_COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)
release:
	.ci/install build
	Packaging/static-libraries $(STATIC)
	$(CC) -std=gnu17 -O2 -fPIE -fno-builtin -ffunction-sections -Wall -Wextra -c -o $(STATIC)/glibc.o Packaging/glibc.c
	swift build $(RELEASE) --product authctl
	swift build $(RELEASE) --product authctl-emulator

# The library's reference, into .build/docs; fails where a public declaration says nothing of itself.
docs:
	.ci/install build
	swift build $(TEST) --target AuthCoreTesting
	Packaging/api-docs $(TEST_BIN) .build/docs

# README, docs and the manual as a site, in .build/site/html: a broken link fails. Chromium searches it.
SITE_VENV := .build/site-venv
site:
	.ci/install test
	cmp -s Packaging/site/requirements.txt $(SITE_VENV)/installed || { rm -rf $(SITE_VENV) && python3 -m venv $(SITE_VENV) && \
	  $(SITE_VENV)/bin/pip install -q --disable-pip-version-check --require-hashes --only-binary :all: \
	    -r Packaging/site/requirements.txt && cp Packaging/site/requirements.txt $(SITE_VENV)/installed; }
	Packaging/site/build $(SITE_VENV)/bin/python
	Packaging/site/check

# The picture of the folders and what uses what, drawn from the sources.
architecture:
	mkdir -p .build
	Packaging/architecture > .build/architecture.svg
	mv .build/architecture.svg docs/architecture.svg

# The figures of docs/comparison.md as bars.
charts:
	mkdir -p .build
	Packaging/charts > .build/comparison.svg
	mv .build/comparison.svg docs/comparison.svg

# Whether what is public broke since the last release.
check-api:
	Packaging/check-api

# Which functions a `token` and a sign-in run, told to the linker anew.
order: release
	.ci/install sanitize
	Packaging/order $(RELEASE_BIN) > .build/symbol-order
	mv .build/symbol-order Packaging/symbol-order
	rm -f $(RELEASE_BIN)/authctl
	$(MAKE) release

# What only the built programs show: no search path for libraries, everything bound and read-only after the start, nothing of a newer C library,
# and the functions that the linker was told of are still there, but for one in ten.
check-release: release
	nm --defined-only $(RELEASE_BIN)/authctl | awk 'NR == FNR {wanted[$$1]; next} $$3 in wanted {there[$$3]} \
	  END {if (length(there) * 10 < length(wanted) * 9) {print "Packaging/symbol-order is old: make order" > "/dev/stderr"; exit 1}}' \
	  Packaging/symbol-order -
	for program in authctl authctl-emulator; do \
	  readelf -dW $(RELEASE_BIN)/$$program | grep -E 'RUNPATH|RPATH' && { echo "$$program has a search path" >&2; exit 1; }; \
	  readelf -dW $(RELEASE_BIN)/$$program | grep -q BIND_NOW || { echo "$$program binds late" >&2; exit 1; }; \
	  readelf -lW $(RELEASE_BIN)/$$program | grep -q GNU_RELRO || { echo "$$program has no RELRO" >&2; exit 1; }; \
	  readelf -SW $(RELEASE_BIN)/$$program | grep -E ' \.rodata .* WA' && { echo "$$program has constants that can be written" >&2; exit 1; }; \
	  Packaging/check-glibc $(GLIBC) $(RELEASE_BIN)/$$program || exit 1; \
	done

# `make bench PARTS="token signin" AGAINST=DIRECTORY` runs some of it, and a second build's authctl in turns.
PARTS ?=
AGAINST ?=
bench:
	.ci/install bench
	$(MAKE) release
	Benchmarks/run $(RELEASE_BIN) $(PARTS) $(if $(AGAINST),--against $(AGAINST))

# What of a program is installed, and where: once, for `install`, `uninstall` and the packages. Neither builds, nor asks for
# packages: that is `make release`, which needs no root.
PROGRAMS := authctl authctl-emulator
ZSH_COMPLETIONS ?= share/zsh/site-functions
installed = bin/$(1) share/bash-completion/completions/$(1) $(ZSH_COMPLETIONS)/_$(1) \
  share/fish/vendor_completions.d/$(1).fish $(addprefix share/,$(call pages,$(1)))
# The emulator has one page; the tool one of each command beside its own.
pages = $(patsubst man/%,man/man1/%,$(if $(filter authctl,$(1)),$(filter-out man/authctl-emulator.1,$(wildcard man/*.1)),man/$(1).1))

install: $(PROGRAMS:%=install-%)
uninstall: $(PROGRAMS:%=uninstall-%)

$(PROGRAMS:%=built-%): built-%:
	@test -x $(RELEASE_BIN)/$* || { echo "$(RELEASE_BIN)/$* is not built: run 'make release' first, not as root" >&2; exit 1; }

$(PROGRAMS:%=install-%): install-%: built-%
	set -- $(call installed,$*) && \
	install -D -s -m 755 $(RELEASE_BIN)/$* "$(DESTDIR)$(PREFIX)/$$1" && shift && \
	for file in completions/$*.bash completions/_$* completions/$*.fish $(patsubst man/man1/%,man/%,$(call pages,$*)); do \
	  install -D -m 644 $$file "$(DESTDIR)$(PREFIX)/$$1" && shift || exit 1; done

$(PROGRAMS:%=uninstall-%): uninstall-%:
	for file in $(call installed,$*); do rm -f "$(DESTDIR)$(PREFIX)/$$file" || exit 1; done

# `make release-files REPOSITORY=https://HOST/OWNER/authctl` for a release: where its files will be.
export REPOSITORY
deb: $(PROGRAMS:%=deb-%)
$(PROGRAMS:%=deb-%): deb-%: built-%
	Packaging/deb $* $(RELEASE_BIN) dist

# Without the emulator: it contains all of Foundation, which requires Debian's own build of libcurl.
rpm: built-authctl
	.ci/install packages
	Packaging/rpm $(RELEASE_BIN) dist

# An archive for other Linux, with a script that installs it.
tarball: built-authctl
	Packaging/tarball $(RELEASE_BIN) dist

check-tarball: tarball
	Packaging/check-tarball dist/authctl-*-linux-*.tar.gz

# Everything that a release page offers, and nothing else, in dist. The same commit gives the same bytes.
release-files: $(PROGRAMS:%=built-%)
	rm -rf dist
	$(MAKE) deb rpm tarball
	Packaging/sbom $(RELEASE_BIN) dist
	umask 022 && sums=$$(cd dist && sha256sum *) && echo "$$sums" >dist/SHA256SUMS

check-release-files: $(PROGRAMS:%=built-%)
	.ci/install test
	.ci/install packages
	Packaging/check-release-files $(GLIBC)

# The container's image, by the engine that is there; else its steps are tried without one.
image:
	if docker info >/dev/null 2>&1; then docker build -t authctl .; \
	elif command -v podman >/dev/null; then podman build -t authctl .; \
	else echo "neither docker nor podman is here: its steps are tried in a Debian of their own"; $(MAKE) check-image; fi

check-image: release
	.ci/install image
	RELEASED=yes $(MAKE) release-files PROGRAMS=authctl
	unshare -m Packaging/check-image $(RELEASE_BIN)
	unshare -m Packaging/check-install dist

completions:
	swift build $(TEST)
	for name in authctl authctl-emulator; do \
	  $(TEST_BIN)/$$name --generate-completion-script bash > completions/$$name.bash && \
	  $(TEST_BIN)/$$name --generate-completion-script zsh > completions/_$$name && \
	  $(TEST_BIN)/$$name --generate-completion-script fish > completions/$$name.fish || exit 1; done

# The fields of each command's JSON, as the manual's sources list them, for `authctl schema`.
schema:
	mkdir -p .build
	Packaging/output-fields > .build/OutputFields.swift
	mv .build/OutputFields.swift Sources/authctl/Text/OutputFields.swift

# The manual of the help and man/source: a page of the program, one of each command.
manual: schema
	swift build $(TEST)
	man/generate $(TEST_BIN)/authctl man

# The first minute, as a recording for asciinema and as the README's picture.
recording:
	.ci/install recording
	swift build $(TEST)
	Tests/Recording/run $(TEST_BIN)

format:
	swift format --in-place --recursive Sources Tests Package.swift

clean:
	rm -rf .build dist
