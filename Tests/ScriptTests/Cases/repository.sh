# The repository's files for GitHub. `actionlint` checks the workflows on GitHub, because its package needs a download from there.

# steps FILE: the scripts of a workflow, each in a file NUMBER.
steps() {
    /usr/bin/python3 "$ROOT/Tests/Servers/workflow.py" "$ROOT/.github/workflows/$1" | awk -v RS='\n--\n' '{print >NR}'
}
# step TEXT: the file of the step that contains TEXT.
step() { grep -lF -- "$1" [0-9]*; }

# in_root COMMAND…: runs it in the project's directory.
in_root() { (cd "$ROOT" && "$@"); }

#: The workflows, the action, the issue forms and the updates of dependencies follow GitHub's schemas.
check() {
    for file in "${@:2}"; do works "$ROOT/.build/venv/bin/check-jsonschema" --builtin-schema "vendor.$1" "$ROOT/$file"; done
}
check github-workflows .github/workflows/{long,release,tests}.yml
check github-actions Packaging/setup-authctl/action.yml
check dependabot .github/dependabot.yml
check github-issue-forms .github/ISSUE_TEMPLATE/{bug,service}.yml
check github-issue-config .github/ISSUE_TEMPLATE/config.yml

#: The workflows give a step no more than it needs: zizmor finds nothing, and each action is a commit.
works in_root .build/venv/bin/zizmor --offline --no-progress --config .github/zizmor.yml .github Packaging/setup-authctl
! grep -hE '^ *- uses: ' "$ROOT"/.github/workflows/*.yml | grep -vE '@[0-9a-f]{40} # v[0-9.]+$' || fail "an action without a commit"

#: The steps of the workflows are targets of the Makefile and parts of .ci/run.
cat "$ROOT"/.github/workflows/*.yml >workflows
{
    sed -n 's/^ *target: \[\(.*\)\]$/\1/p' workflows | tr ',' '\n' | awk '{print $1}'
    sed -n 's/^ *- run: make \([a-z -]*\).*/\1/p' workflows | tr -s ' ' '\n'
} | sort -u | grep . >targets
[ "$(wc -l <targets)" -ge 10 ] || fail "too few targets: $(cat targets)"
{ make -C "$ROOT" -pnq help 2>/dev/null || true; } | sed -n 's/^\([a-z-]*\):.*/\1/p' >known
while read -r target; do
    grep -qxF -- "$target" known || fail "no target $target"
done <targets
for part in $(sed -n 's/^ *part: \[\(.*\)\]$/\1/p' workflows | tr -d ,); do
    grep -qE "^$part\\)" "$ROOT/.ci/run" || fail ".ci/run has no part $part"
done

#: `make help` names each target for people, by purpose.
works make -C "$ROOT" -s --no-print-directory help
sed -nE 's/^  make ([a-z-]+).*/\1/p' stdout | sort >named
sed -n 's/^\.PHONY: //p' "$ROOT/Makefile" | tr ' ' '\n' | grep -vxE 'all|help|sanitize-.*|check-release-files|check-tarball' | sort | diff named -

#: A release's workflow compares the tag with CHANGELOG.md, and signs what it built with a key that the repository has.
steps release.yml
mkdir -p clone/Packaging clone/dist
cp "$ROOT"/Packaging/{release.sh,sign-release,verify-release} clone/Packaging
printf '# Changelog\n\n## 1.2.3 (2027-01-01)\n' >clone/CHANGELOG.md
in_clone() { (cd clone && bash -e "../$1"); }
compare=$(step 'CHANGELOG.md is about')
GITHUB_REF_NAME=v1.2.3 works in_clone "$compare"
GITHUB_REF_NAME=v1.2.4 exits 1 in_clone "$compare"
out '^::error::CHANGELOG.md is about 1.2.3$'
printf '# Changelog\n\n## 1.2.3 (unreleased)\n' >clone/CHANGELOG.md
GITHUB_REF_NAME=v1.2.3 exits 1 in_clone "$compare"
sign=$(step 'Packaging/sign-release')
ssh-keygen -q -t ed25519 -N '' -f key
echo "authctl namespaces=\"authctl-release\" $(cat key.pub)" >clone/Packaging/release-signers
echo program >clone/dist/authctl.tar.gz
(cd clone/dist && sha256sum authctl.tar.gz >SHA256SUMS)
RUNNER_TEMP=$PWD SIGNING_KEY=$(cat key) && export RUNNER_TEMP SIGNING_KEY
rm key
works in_clone "$sign"
out '^authctl.tar.gz: OK$'
[ -s clone/dist/SHA256SUMS.sig ] && [ ! -e key ] || fail "no signature, or the key is left"
# A key that the repository does not have cannot make a release.
ssh-keygen -q -t ed25519 -N '' -f other
echo "authctl namespaces=\"authctl-release\" $(cat other.pub)" >clone/Packaging/release-signers
exits 1 in_clone "$sign"
err 'SHA256SUMS is not signed by a key in'
[ ! -e key ] || fail "the key is left"

#: The provenance names the commit, the workflow's run and each file by its digest, and needs a workflow.
mkdir dist
echo program >dist/authctl.tar.gz
echo {} >dist/authctl-1.2.3.spdx.json
exits 1 "$ROOT/Packaging/provenance" "$PWD/dist"
err 'GITHUB_[A-Z_]* is not set: run it in a workflow of GitHub Actions$'
export GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=corp/authctl GITHUB_REPOSITORY_ID=1 GITHUB_REPOSITORY_OWNER_ID=2
export GITHUB_REF=refs/tags/v1.2.3 GITHUB_SHA=0123456789012345678901234567890123456789 GITHUB_EVENT_NAME=push
export GITHUB_WORKFLOW_REF=corp/authctl/.github/workflows/release.yml@refs/tags/v1.2.3 GITHUB_RUN_ID=7 GITHUB_RUN_ATTEMPT=1
export RUNNER_ENVIRONMENT=github-hosted
works "$ROOT/Packaging/provenance" "$PWD/dist"
cat >check.py <<'P'
import json
import sys

from google.protobuf import json_format
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1 import statement_pb2

text = open(sys.argv[1]).read()
message = json_format.Parse(text, statement_pb2.Statement())
statement = Statement.copy_from_pb(message)
statement.validate()
assert statement.pb.predicate_type == "https://slsa.dev/provenance/v1"
predicate = json_format.ParseDict(json.loads(text)["predicate"], provenance_pb2.Provenance())
definition = predicate.build_definition
assert dict(definition.external_parameters["workflow"]) == {
    "ref": "refs/tags/v1.2.3", "repository": "https://github.com/corp/authctl", "path": ".github/workflows/release.yml"}
assert definition.resolved_dependencies[0].digest["gitCommit"] == "0123456789012345678901234567890123456789"
assert predicate.run_details.metadata.invocation_id == "https://github.com/corp/authctl/actions/runs/7/attempts/1"
for subject in statement.pb.subject:
    print(f"{subject.digest['sha256']}  {subject.name}")
P
works "$ROOT/.build/venv/bin/python3" check.py dist/authctl-1.2.3.intoto.json
cp stdout sums
[ "$(wc -l <sums)" = 2 ] || fail "not each file is a subject"
(cd dist && sha256sum --quiet --check ../sums)
