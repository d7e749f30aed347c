# `make help` prints these lines.
#: Begin:
#:   make demo               a whole sign-in with a local emulator
#:   make test               installs what the tests need and runs all of them
#:   make test-one           one test: STORY=mtls.sh or FILTER=HTTPDateTests.swift:41
#:   make build-tests        builds the programs and the tests in .build/test
#:   make format             formats the Swift sources
#: Use it:
#:   make release            builds the programs in .build/release
#:   make install            installs them in PREFIX=/usr/local; as root after `make release`
#:   make uninstall          removes the installed files
#: Test more (some take hours; CONTRIBUTING.md has the options):
#:   make sanitize           AddressSanitizer, ThreadSanitizer and valgrind
#:   make fuzz               libFuzzer on each parser of untrusted bytes: MINUTES=10
#:   make mutants            changes rules one at a time, and lists what no test notices: COUNT=600
#:   make simulate           processes that share a store, in an order that a seed decides: SEEDS=300
#:   make chaos              kills commands at random moments: KILLS=1000
#:   make torture            makes each system call fail once: COMMANDS="signin token"
#:   make machines           the released programs on unlikely machines: NAMES="stack no-locks"; as root
#:   make check-features     each feature of authctl compiles without the others
#:   make coverage           which regions the tests run: LIST=1
#:   make bench              measures: PARTS="token signin" AGAINST=DIRECTORY
#: Write what is generated:
#:   make manual             the manual pages
#:   make completions        the completions
#:   make catalog            docs/providers/catalog.md
#:   make architecture       the picture in ARCHITECTURE.md
#:   make charts             the bars in docs/comparison.md
#:   make recording          the picture in README.md
#:   make docs               the library's reference, in .build/docs
#:   make site               the documentation as a site, in .build/site/html
#:   make order              the order of the functions in the program
#: Release:
#:   make release-files      everything on a release page: SIGNING_KEY=FILE REPOSITORY=URL
#:   make deb                the Debian packages
#:   make rpm                the RPM package
#:   make tarball            the archive
#:   make image              the container's image
#:   make check-release      the programs need no newer glibc, and are not too large
#:   make check-reproducible builds the commit twice, and compares the programs
#:   make check-api          the public declarations did not break since the last release
#:   make check-files        makes the packages twice, and checks them
#:   make check-image        installs them in a new Debian
#:   make clean              removes what was built
PREFIX ?= /usr/local
DESTDIR ?=
# The options of the release build:
# - The Swift and C++ runtimes and SQLite are linked statically (Packaging/static-libraries). The programs then only require
  # glibc, OpenSSL and libcurl.
# - The program has no local library search path, because other users may be able to write to its directory.
# - All symbols are bound before `main`, and relocations are read-only afterwards.
# - The functions that `token` and a sign-in run are placed next to each other (Packaging/order, Packaging/layout.ld).
# - Identical functions are merged: Swift code does not compare function addresses.
# - Optimizing for size is not slower, because less code is loaded.
# - Types are found by functions, not by their names: for a name, the runtime searches all 5,500 conformances of the program.
# - No symbols are exported, because no other code links against the programs.
# - There is no .eh_frame_hdr, because no code unwinds the stack at run time. Debuggers use .eh_frame.
# - There is no debug information, because the packages have none.
STATIC := $(CURDIR)/.build/static
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -debug-info-format none -Xswiftc -Xclang-linker \
  -Xswiftc -static-libgcc -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc --ld-path=$(STATIC)/ld -Xlinker --icf=all -Xlinker $(STATIC)/runtime.o \
  -Xlinker --wrap=_swift_stdlib_getScalarName -Xlinker --no-export-dynamic -Xlinker --no-eh-frame-hdr \
  -Xlinker -z -Xlinker now -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker -T -Xlinker $(CURDIR)/Packaging/layout.ld \
  -Xlinker --symbol-ordering-file=$(CURDIR)/Packaging/symbol-order -Xlinker --no-warn-symbol-ordering
# The oldest supported versions of glibc. `make check-release` checks that the programs do not require newer ones. The Debian
# packages contain a second link with packed relocations, which saves 1.4 MB of the file and 1 MB of each process's memory.
GLIBC := 2.34
DEBIAN_GLIBC := 2.36
RELEASE_BIN := .build/release
# The build that the tests run. It is not optimized, like a debug build, but DEBUG is not defined: with DEBUG, ArgumentParser
# validates all options at each start, which takes six times as long. A repository test checks for duplicate option names.
# Debug information takes a quarter of the build: `make test DEBUG_INFO=dwarf` adds it.
DEBUG_INFO ?= none
UNOPTIMIZED := -c release -Xswiftc -Onone -Xswiftc -no-whole-module-optimization -Xswiftc -enable-batch-mode -Xswiftc -incremental \
  -Xswiftc -enable-testing -debug-info-format $(DEBUG_INFO)
TEST := $(UNOPTIMIZED) --scratch-path .build/test
TEST_BIN := .build/test/release
# With STRICT=1, a warning in the project's code is an error. The same value must be used for all targets, or they build again.
BUILD_TEST = $(if $(STRICT),AUTHCTL_STRICT=1) swift build $(TEST)
# The programs that the stories and `make torture` run. CI runs those of the release.
BIN ?= $(TEST_BIN)

.PHONY: all help demo test build-tests test-one mutants check-features chaos torture machines simulate fuzz sanitize sanitize-address sanitize-thread sanitize-stories sanitize-valgrind coverage bench order release check-release install uninstall deb rpm tarball check-tarball release-files check-release-files check-files image check-image check-reproducible completions manual docs site catalog charts architecture check-api recording format clean

all: release

help:
	@sed -n 's/^#: \{0,1\}//p' Makefile

demo:
	.ci/install build
	$(BUILD_TEST)
	.ci/demo $(TEST_BIN)

test:
	.ci/install test
	$(if $(STRICT),AUTHCTL_STRICT=1) AUTHCTL_BIN=$(BIN) Tests/run $(TEST)

build-tests:
	.ci/install test
	$(BUILD_TEST) --build-tests

# Runs one test. `make test` prints this command for each failure: `STORY='mtls.sh: A sentence.' make test-one`, `STORY=mtls.sh`
# or `STORY=docs/ci.md` for a whole file, or `FILTER=HTTPDateTests.swift:41` for a unit test. A story requires only the programs.
test-one:
	.ci/install build
	$(BUILD_TEST) $(if $(FILTER),--build-tests)
	$(if $(FILTER),swift test $(TEST) --skip-build --disable-xctest --no-parallel --filter "$$FILTER",Tests/ScriptTests/run "$$STORY")

# Kills commands at random moments. `make chaos KILLS=1000 SEED=1` repeats a run.
KILLS ?= 1000
chaos:
	.ci/install test
	$(BUILD_TEST)
	python3 Tests/Chaos/chaos.py $(TEST_BIN) --kills $(KILLS) $(if $(SEED),--seed $(SEED))

# Simulates processes that share a store, in an order that a seed determines: `make simulate SEEDS=1000`. `make simulate SEED=7`
# prints the trace of seed 7. The store is in memory (/dev/shm) if possible.
SEEDS ?= 300
simulate:
	.ci/install build
	AUTHCTL_SIMULATION=1 $(BUILD_TEST) --product Simulation
	if [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi; SWIFT_DETERMINISTIC_HASHING=1 \
	  $(TEST_BIN)/Simulation $(if $(SEED),--seed $(SEED),--seeds $(SEEDS) $(if $(FIRST),--first $(FIRST)))

# Compiles each feature of authctl without the others.
check-features:
	$(BUILD_TEST)
	Tests/Features/run .build/test

# Makes each call of a kind (open, read, write, …) fail once, in each command. `make torture COMMANDS="signin token" CALLS="read
# write" SAMPLE=10` tests every tenth call.
COMMANDS ?=
CALLS ?=
SAMPLE ?= 1
TORTURE_LIBRARY := .build/torture/fail_once.so
torture:
	.ci/install test
	$(BUILD_TEST)
	mkdir -p $(dir $(TORTURE_LIBRARY))
	$(CC) -std=gnu17 -O1 -Wall -Wextra -shared -fPIC -o $(TORTURE_LIBRARY) Tests/Torture/fail_once.c -ldl
	python3 Tests/Torture/torture.py $(BIN) $(TORTURE_LIBRARY) --sample $(SAMPLE) --commands "$(COMMANDS)" --calls "$(CALLS)"

# Runs the released programs on unlikely machines, each a new Debian 12: `make machines NAMES="stack no-locks"`. As root.
NAMES ?=
machines: release
	.ci/install image
	Tests/Machines/run $(RELEASE_BIN) $(NAMES)

# Coverage-guided fuzzing of the functions that read untrusted bytes. All processors run for MINUTES, divided among all readers or
# READERS. `RUNS=N SEED=1` tests the same N inputs of each reader on every machine.
MINUTES ?= 10
RUNS ?=
READERS ?=
FUZZ_release := -c release
FUZZ_unoptimized := $(UNOPTIMIZED)
FUZZ_BUILD ?= release
FUZZ = $(FUZZ_$(FUZZ_BUILD)) --scratch-path .build/fuzz-$(FUZZ_BUILD)
fuzz:
	.ci/install build
	AUTHCTL_FUZZ=1 swift build $(FUZZ) --product Fuzz
	RUNS=$(RUNS) SEED=$(SEED) Tests/Fuzz/run .build/fuzz-$(FUZZ_BUILD)/release/Fuzz $(MINUTES) $(READERS)

# Runs the unit tests with AddressSanitizer and ThreadSanitizer: the modules in MODULES are compiled again, and linked with the
# tests of the test build. Then runs stories with optimized programs: with AddressSanitizer, and the release build under valgrind.
SANITIZERS ?= address thread
MODULES ?= AuthCore,authctl
SANITIZE_address := -sanitize=address
# Marks the lock that ThreadSanitizer does not see (AuthCore/Base/Lock.swift).
SANITIZE_thread := -sanitize=thread -DTHREAD_SANITIZER
# Slow tests of functions that use memory, but no threads.
PURE_thread := HTTPDate|Catalog|CatalogEntry|YAML|
VALGRIND_STORIES ?= verify.sh signin-two-steps.sh refresh.sh
# The stories that use the C libraries most: OpenSSL, libcurl, SQLite, libyaml, sd-bus and the kernel keyring.
ADDRESS_STORIES ?= verify.sh refresh.sh mtls.sh dpop.sh config.sh signin-two-steps.sh signin-parallel.sh vault-keyring.sh vault-cache.sh
sanitize: $(SANITIZERS:%=sanitize-%) sanitize-stories sanitize-valgrind

# Skips the test that measures memory, because the sanitizer changes it, and the moves of a vault's key, which mostly wait for
# scrypt in OpenSSL. Also skips tests that only parse command lines: they use no unsafe memory and no threads.
sanitize-address sanitize-thread: sanitize-%: build-tests
	Tests/Variants/build $* $(MODULES) $(SANITIZE_$*)
	Tests/Sanitize/run $* .build/variants/$*/authctlPackageTests.xctest --testing-library swift-testing --no-parallel \
	  --skip RepositoryTests $(if $(filter AuthCore,$(MODULES)),--skip 'authctlTests\.') \
	  --skip 'do not leak memory' --skip '/($(PURE_$*)VaultMove|Hint|Usage|Example|DocumentedCommand|SignInOptions)Tests.swift'

sanitize-valgrind: release
	.ci/install sanitize
	Tests/ScriptTests/run --bin "$$(Tests/Sanitize/programs valgrind $(RELEASE_BIN))" $(VALGRIND_STORIES)

sanitize-stories: flags = -c release --sanitize address --scratch-path .build/address-release -Xswiftc -Osize
sanitize-stories:
	.ci/install test
	swift build $(flags) --product authctl
	swift build $(flags) --product authctl-emulator
	Tests/ScriptTests/run --bin "$$(Tests/Sanitize/programs address .build/address-release/release)" $(ADDRESS_STORIES)

# Changes rules of the library one at a time, and lists each change that no test notices. `make mutants COUNT=60 SEED=2`
# draws other places.
COUNT ?= 600
FOLDERS ?= OpenID JOSE OAuth Accounts Crypto UseCases
mutants: build-tests
	Tests/Mutants/run $(COUNT) $(or $(SEED),1) $(FOLDERS)

# Measures the test coverage of the protocol folders. `make coverage LIST=1` prints the regions that no test runs. `STORIES=a.sh`
# runs only some stories.
COVERAGE := $(UNOPTIMIZED) --scratch-path .build/coverage -Xswiftc -Xllvm -Xswiftc -runtime-counter-relocation
coverage:
	.ci/install test
	swift build $(COVERAGE) --enable-code-coverage --build-tests
	Tests/Coverage/run .build/coverage/release $(if $(LIST),--list) $(if $(STORIES),--stories $(STORIES)) -- $(COVERAGE)

# The commit for --version. It is unknown outside a clone.
release: export AUTHCTL_COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)
release:
	.ci/install release
	Packaging/static-libraries $(STATIC)
	$(CC) -std=gnu17 -O2 -fPIE -fno-builtin -ffunction-sections -Wall -Wextra -c -o $(STATIC)/runtime.o Packaging/runtime.c
	swift build $(RELEASE) --product authctl
	swift build $(RELEASE) --product authctl-emulator

# Generates the library's reference in .build/docs. Fails if a public declaration has no documentation comment.
docs:
	.ci/install build
	$(BUILD_TEST) --target AuthCoreTesting
	Packaging/api-docs $(TEST_BIN) .build/docs

# Builds a site of README, docs and the manual in .build/site/html. Fails on broken links, and tests the search with Chromium.
SITE_VENV := .build/site-venv
site:
	.ci/install test
	cmp -s Packaging/site/requirements.txt $(SITE_VENV)/installed || { rm -rf $(SITE_VENV) && python3 -m venv $(SITE_VENV) && \
	  $(SITE_VENV)/bin/pip install -q --disable-pip-version-check --require-hashes --only-binary :all: \
	    -r Packaging/site/requirements.txt && cp Packaging/site/requirements.txt $(SITE_VENV)/installed; }
	Packaging/site/build $(SITE_VENV)/bin/python
	Packaging/site/check

# Draws the diagram of the folders and their dependencies from the sources.
architecture:
	mkdir -p .build
	Packaging/architecture > .build/architecture.svg
	mv .build/architecture.svg docs/architecture.svg

# Writes the page of the services from the catalog.
catalog:
	.ci/install test
	$(BUILD_TEST) --product authctl
	Packaging/catalog-page $(TEST_BIN)/authctl > .build/catalog.md
	mv .build/catalog.md docs/providers/catalog.md

# Draws the figures of docs/comparison.md as a bar chart.
charts:
	mkdir -p .build
	Packaging/charts > .build/comparison.svg
	mv .build/comparison.svg docs/comparison.svg

# Builds the current commit twice, in two directories, and compares the programs.
check-reproducible:
	.ci/install build
	Packaging/check-reproducible

# Checks for breaking changes of the public API since the last release.
check-api:
	Packaging/check-api

# Records the functions that `token` and a sign-in run, as the linker's symbol order.
order: release
	.ci/install sanitize
	Packaging/order $(RELEASE_BIN) > .build/symbol-order
	mv .build/symbol-order Packaging/symbol-order
	rm -f $(RELEASE_BIN)/authctl
	$(MAKE) release

# Checks both links of the built programs. At least nine in ten functions of the symbol order must exist.
check-release: release
	nm --defined-only $(RELEASE_BIN)/authctl | awk 'NR == FNR {wanted[$$1]; next} $$3 in wanted {there[$$3]} \
	  END {if (length(there) * 10 < length(wanted) * 9) {print "Packaging/symbol-order is old: make order" > "/dev/stderr"; exit 1}}' \
	  Packaging/symbol-order -
	Packaging/check-program $(GLIBC) $(RELEASE_BIN)/authctl 21500000
	Packaging/check-program $(GLIBC) $(RELEASE_BIN)/authctl-emulator
	Packaging/check-program $(DEBIAN_GLIBC) $(RELEASE_BIN)/debian/authctl 20000000
	Packaging/check-program $(DEBIAN_GLIBC) $(RELEASE_BIN)/debian/authctl-emulator

# `make bench PARTS="token signin" AGAINST=DIRECTORY` runs some benchmarks, alternating with the authctl of another build.
PARTS ?=
AGAINST ?=
bench:
	.ci/install bench
	$(MAKE) release
	Benchmarks/run $(RELEASE_BIN) $(PARTS) $(if $(AGAINST),--against $(AGAINST))

# The installed files of a program, for `install`, `uninstall` and the packages. These targets do not build or install packages:
# `make release` does, without root.
PROGRAMS := authctl authctl-emulator
ZSH_COMPLETIONS ?= share/zsh/site-functions
installed = bin/$(1) share/bash-completion/completions/$(1) $(ZSH_COMPLETIONS)/_$(1) \
  share/fish/vendor_completions.d/$(1).fish $(addprefix share/,$(call pages,$(1)))
# The emulator has one manual page. authctl has one, and one for each command.
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

# `make release-files REPOSITORY=https://HOST/OWNER/authctl` sets where the release's files will be published.
export REPOSITORY
deb: $(PROGRAMS:%=deb-%)
$(PROGRAMS:%=deb-%): deb-%: built-%
	Packaging/deb $* $(RELEASE_BIN)/debian dist

# Does not include the emulator, because Foundation in it requires Debian's build of libcurl.
rpm: built-authctl
	.ci/install packages
	Packaging/rpm $(RELEASE_BIN) dist

# An archive for other Linux distributions, with an installation script.
tarball: built-authctl
	Packaging/tarball $(RELEASE_BIN) dist

check-tarball: tarball
	Packaging/check-tarball dist/authctl-*-linux-*.tar.gz

# Creates all files of a release page in dist. The build is reproducible: the same commit gives the same bytes.
# `SIGNING_KEY=FILE` signs SHA256SUMS with an SSH key in SIGNERS. `PROVENANCE=yes` adds a statement about the workflow's run.
# OTHERS is a directory with the packages for other processors.
SIGNING_KEY ?=
OTHERS ?=
SIGNERS ?= Packaging/release-signers
PROVENANCE ?=
release-files: $(PROGRAMS:%=built-%)
	rm -rf dist
	$(MAKE) deb rpm tarball
	$(if $(OTHERS),cp "$(OTHERS)"/* dist)
	Packaging/sbom $(RELEASE_BIN) dist
	$(if $(PROVENANCE),Packaging/provenance dist)
	umask 022 && sums=$$(cd dist && sha256sum *) && echo "$$sums" >dist/SHA256SUMS
	$(if $(SIGNING_KEY),Packaging/sign-release "$(SIGNING_KEY)" dist "$(SIGNERS)")

check-release-files: $(PROGRAMS:%=built-%)
	.ci/install test
	.ci/install packages
	Packaging/check-release-files $(GLIBC) $(DEBIAN_GLIBC)

# Checks the files of a release, one check after the other, because all write to dist.
FILES ?= check-release-files check-tarball
check-files:
	for check in $(FILES); do $(MAKE) -j1 $$check || exit 1; done

# Builds the container image with docker or podman. Without either, tests the steps of the image in a new Debian system.
image:
	if docker info >/dev/null 2>&1; then docker build -t authctl .; \
	elif podman image exists debian:12-slim 2>/dev/null || podman pull -q debian:12-slim >/dev/null 2>&1; then podman build -t authctl .; \
	else echo "neither docker nor podman can make it here: its steps are tried in a Debian of their own"; $(MAKE) check-image; fi

check-image: release
	.ci/install image
	RELEASED=yes $(MAKE) release-files PROGRAMS=authctl
	unshare -m Packaging/check-image $(RELEASE_BIN) & image=$$!; unshare -m Packaging/check-install dist; installed=$$?; \
	  wait $$image && exit $$installed

completions:
	$(BUILD_TEST)
	for name in authctl authctl-emulator; do \
	  $(TEST_BIN)/$$name --generate-completion-script bash > completions/$$name.bash && \
	  $(TEST_BIN)/$$name --generate-completion-script zsh > completions/_$$name && \
	  $(TEST_BIN)/$$name --generate-completion-script fish > completions/$$name.fish || exit 1; done

# Generates the manual pages from the help, the schemas and man/source: one page for the program, and one for each command.
manual:
	$(BUILD_TEST)
	man/generate $(TEST_BIN)/authctl man

# Records the first minute as text, and draws the picture in README.
recording:
	.ci/install recording
	$(BUILD_TEST)
	Tests/Recording/run $(TEST_BIN)

format:
	swift format --in-place --recursive Sources Tests Package.swift

clean:
	rm -rf .build dist
