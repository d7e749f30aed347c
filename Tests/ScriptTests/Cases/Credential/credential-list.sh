# What is installed where.

# installs: authctl in each tool, in files that also have entries of other programs.
installs() {
    emulator
    unset GIT_CONFIG_GLOBAL
    export PATH=$PWD/bin:$PATH DOCKER_CONFIG=$PWD/docker KUBECONFIG=$PWD/absent:$PWD/kubeconfig AWS_CONFIG_FILE=$PWD/aws
    mkdir bin docker
    printf '[credential "https://github.com"]\n\thelper = \n\thelper = !/usr/bin/gh auth git-credential\n' >home/.gitconfig
    printf '{"credHelpers": {"gcr.io": "gcloud"}}\n' >docker/config.json
    printf 'users:\n- name: other\n  user:\n    exec:\n      command: other\n      args: [credential, kubectl]\n' >kubeconfig
    printf '[profile other]\ncredential_process = other credential aws\n' >aws
    printf '{"mcpServers": {"other": {"headersHelper": "other credential mcp x"}}}\n' >.mcp.json
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --api-host registry.example
    works authctl credential install git --host registry.example
    works authctl credential install docker --host registry.example --bin-dir "$PWD/bin"
    works authctl credential install kubectl --provider oidc.test --name ada
    works authctl credential install aws --provider oidc.test --role-arn arn:aws:iam::123456789012:role/ci --name ci
    works authctl credential install mcp --resource https://mcp.example.com/mcp --name notes
    printf 'region = eu-west-1\n' >>aws
}

files="home/.gitconfig docker/config.json bin/docker-credential-authctl kubeconfig aws .mcp.json"

#: Lists the entries of authctl in each tool's file, without those of other programs, and changes nothing.
installs
# shellcheck disable=SC2086
cksum $files >before
works authctl credential list
head -n 6 stdout | cmp - <(cat <<'L'
git      registry.example
docker   registry.example
kubectl  test  --name ada
aws      test  --name ci
mcp      https://mcp.example.com/mcp

L
) || fail "another list"
[ ! -s stderr ] || fail "a note was printed"
works authctl credential list --json
json "[e['tool'] for e in d['installed']] == ['git', 'docker', 'kubectl', 'aws', 'mcp']"
json "d['installed'][0] == {'tool': 'git', 'name': 'registry.example', 'file': '$HOME/.gitconfig', 'profile': None, 'account': None, 'repair': None}"
# shellcheck disable=SC2086
cksum $files | cmp - before || fail "a file was changed"
works authctl credential uninstall git
works authctl credential list
no_out '^git'
[ "$(grep -c '^[a-z]' stdout)" = 4 ] || fail "not the other four"
works authctl credential install mcp --resource https://mcp.example.com/mcp --file servers.json
works authctl credential list --file servers.json --json
json "[(e['name'], e['file']) for e in d['installed'] if e['tool'] == 'mcp'] == [('mcp.example.com', '$PWD/servers.json')]"
# Entries of other profiles and accounts are told apart.
works authctl --profile work providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --profile work
works authctl --profile work --account ada@example.com credential install aws --provider oidc.test --role-arn arn:aws:iam::123456789012:role/work --name work
works authctl credential list
out '^aws +test +--name work --profile work --account ada@example.com$'
works authctl credential list --json
json "[(e['profile'], e['account']) for e in d['installed'] if e['name'] == 'work'] == [('work', 'ada@example.com')]"

#: If nothing is installed, credential list says how to install, and starts no git.
mkdir broken
printf '#!/bin/sh\necho "$@" >>%s/started\nexit 128\n' "$PWD" >broken/git
chmod 755 broken/git
export PATH=$PWD/broken:$PATH
works authctl credential list
[ "$(head -n 1 stdout)" = "Add:     authctl use aws|docker|gcp|git|kubectl [NAME]" ] || fail "something was listed"
[ -z "$(ls -A home)" ] || fail "a file was created"
works authctl credential list --json
json "d == {'installed': []}"
printf '[credential]\n\thelper = store\n' >home/.gitconfig
works authctl credential list
no_out '^git'
[ ! -e started ] || fail "git was started: $(cat started)"

#: A pipe in place of a tool's file is an error, and nothing waits for its writer.
export KUBECONFIG=$PWD/pipe
mkfifo pipe
exits 1 timeout "$PATIENCE" authctl credential list
err "'$PWD/pipe' is not a regular file"

#: If a file of a tool cannot be read, credential list fails and does not list the others.
plain=()
# Root can read everything. Without these capabilities it is like any other user.
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
installs
for file in home/.gitconfig docker/config.json kubeconfig aws .mcp.json; do
    mode=$(stat -c %a "$file")
    chmod 0 "$file"
    exits 1 "${plain[@]}" authctl credential list
    err "error: tools not listed: cannot read '([^']*/)?$file': Permission denied \\(tool-not-set-up\\)"
    [ ! -s stdout ] || fail "others were listed"
    chmod "$mode" "$file"
done
echo '[' >.mcp.json
exits 1 authctl credential list --json
err "[.]mcp.json' line 2 is not valid JSON"

#: If authctl was moved, credential list marks the entries, and the printed commands repair them.
export AUTHCTL_CONFIG_DIR="$PWD/its directory" AUTHCTL_PROFILE=work
installs
unset AUTHCTL_CONFIG_DIR AUTHCTL_PROFILE
mkdir before
# shellcheck disable=SC2086
cp --parents $files before
# shellcheck disable=SC2086
sed -i "s,$(readlink -f "$(command -v authctl)"),/gone/authctl," $files
works authctl credential list
[ "$(grep -cE '  broken  (--name [a-z]+ )?--config-dir .*its directory. --profile work$' stdout)" = 5 ] || fail "not all are broken"
err "^authctl: git 'registry.example' does not work: '/gone/authctl' does not exist; to repair it: authctl use git --host registry.example --config-dir '$PWD/its directory' --profile work$"
sed -n 's/^authctl: .* does not work: .*; to repair it: //p' stderr >printed-repairs
works authctl credential list --json
python3 -c "import json; [print(e['repair']) for e in json.load(open('stdout'))['installed']]" >repairs
cmp printed-repairs repairs || fail "other repairs are printed: $(cat printed-repairs)"
[ "$(wc -l <repairs)" = 5 ] || fail "not five repairs"
# The repair of a project's file takes only the URL from it.
export AUTHCTL_CONFIG_DIR="$PWD/its directory" AUTHCTL_PROFILE=work
while read -r repair; do works bash -c "$repair"; done <repairs
unset AUTHCTL_CONFIG_DIR AUTHCTL_PROFILE
works authctl credential list
no_out broken
for file in $files; do cmp "$file" "before/$file" || fail "not as it was"; done
rm bin/docker-credential-authctl
works authctl credential list
out '^docker .*  broken$'
err "docker 'registry.example' does not work: docker-credential-authctl is not in PATH; to repair it: authctl use docker --host registry.example$"
repair=$(sed -n 's/.*; to repair it: //p' stderr)
export AUTHCTL_CONFIG_DIR="$PWD/its directory" AUTHCTL_PROFILE=work
# By default, the program is installed beside authctl, which other stories use.
works bash -c "$repair --bin-dir '$PWD/bin'"
unset AUTHCTL_CONFIG_DIR AUTHCTL_PROFILE
works authctl credential list
no_out broken
