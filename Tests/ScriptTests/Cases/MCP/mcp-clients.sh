# The bridge, or the headers helper, in the configuration files of MCP clients.

url=https://mcp.example.com/mcp
file() {
    case $1 in
    claude-code) echo home/.claude.json ;;
    codex) echo home/.codex/config.toml ;;
    vscode) echo home/.config/Code/User/mcp.json ;;
    cursor) echo home/.cursor/mcp.json ;;
    opencode) echo home/.config/opencode/opencode.json ;;
    goose) echo home/.config/goose/config.yaml ;;
    esac
}
# existing: files as users have them, with comments where the client accepts them, in the directory before too.
existing() {
    mkdir -p home/.codex home/.config/Code/User home/.cursor home/.config/opencode home/.config/goose before
    printf '{\n  "numStartups": 5,\n  "mcpServers": {\n    "other": { "command": "x" }\n  },\n  "projects": {}\n}\n' >home/.claude.json
    printf 'model = "m" # the model\n\n[mcp_servers.other]\ncommand = "other"\nargs = ["credential", "mcp", "x"]\n\n[tui]\ntheme = "x"' >home/.codex/config.toml
    printf '{\n\t// my servers\n\t"servers": {\n\t\t"other": { "type": "http", "url": "https://x" }, // "a" }\n\t},\n\t"inputs": [],\n}\n' >home/.config/Code/User/mcp.json
    printf '{"mcpServers":{}}' >home/.cursor/mcp.json
    printf '{\r\n  "$schema": "https://opencode.ai/config.json", /* mcp: { */\r\n  "model": "a//b",\r\n}\r\n' >home/.config/opencode/opencode.json
    printf '# goose\nGOOSE_MODE: smart_approve\nextensions:\n  # built in\n  developer:\n    type: builtin\n    enabled: true\nother: [1]\n' >home/.config/goose/config.yaml
    for client in $clients; do cp "$(file $client)" before/$client; done
}
clients="claude-code codex vscode cursor opencode goose"
authctl=$BIN/authctl
bridge="[\"credential\", \"mcp\", \"--stdio\", \"$url\"]"

# read CLIENT: prints what the client reads of its file, as JSON.
read_as() {
    python3 - "$1" "$(file "$1")" <<'P'
import json, re, sys
client, path = sys.argv[1:]
text = open(path).read()
if client == "codex":
    import tomllib
    print(json.dumps(tomllib.loads(text)["mcp_servers"]))
elif client == "goose":
    import subprocess
    lines = text.split("\n")
    at = lines.index(next(line for line in lines if line.startswith("extensions:")))
    found = {}
    for line in lines[at + 1:]:
        match = re.fullmatch(r'  "?([\w-]+)"?:(?: (\{.*\}))?', line)
        if match: found[match[1]] = json.loads(match[2]) if match[2] else None
        elif line and not line.startswith("  "): break
    print(json.dumps(found))
else:
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m[1] or "", text, flags=re.S)
    text = re.sub(r'("(?:\\.|[^"\\])*")|,(\s*[}\]])', lambda m: m[1] or m[2], text)
    print(json.dumps(json.loads(text)[{"vscode": "servers", "opencode": "mcp"}.get(client, "mcpServers")]))
P
}
entry() { read_as "$1" >stdout; json "d['mcp-example-com'] == $2"; }

#: Each client gets the entry of its own format; every other byte stays, and uninstall restores the file.
existing
for client in $clients; do
    works authctl credential install $client $url
    out "^$HOME/.*: server mcp-example-com = "
    works authctl credential install $client $url
    out 'nothing to change'
done
entry claude-code "{'type': 'http', 'url': '$url', 'headersHelper': '$authctl credential mcp $url'}"
entry codex "{'command': '$authctl', 'args': $bridge}"
entry vscode "{'type': 'stdio', 'command': '$authctl', 'args': $bridge}"
entry cursor "{'type': 'stdio', 'command': '$authctl', 'args': $bridge}"
entry opencode "{'type': 'local', 'command': ['$authctl'] + $bridge}"
entry goose "{'enabled': True, 'type': 'stdio', 'name': 'mcp-example-com', 'description': '', 'cmd': '$authctl', 'args': $bridge, 'envs': {}, 'env_keys': [], 'timeout': 300}"
for client in claude-code codex vscode; do read_as $client >stdout; json "len(d) == 2 and 'other' in d"; done
works authctl credential list
for client in $clients; do out "^$client +https://mcp.example.com/mcp$"; done
[ "$(grep -c '^[a-z]' stdout)" = 6 ] || fail "not six entries"
for client in $clients; do
    works authctl credential uninstall $client
    cmp "$(file $client)" before/$client || fail "$client: not as it was"
    works authctl credential uninstall $client
    out 'nothing to change'
done

#: Claude Code gets the bridge with --stdio.
existing
works authctl credential install claude-code $url
works authctl credential install claude-code $url --stdio
entry claude-code "{'type': 'stdio', 'command': '$authctl', 'args': $bridge}"
works authctl credential install claude-code $url --stdio
out 'nothing to change'
exits 64 authctl credential install codex $url --stdio
exits 64 authctl credential install codex $url --provider oidc.test
err -- '--provider cannot be used with codex'
works authctl credential uninstall claude-code
cmp home/.claude.json before/claude-code || fail "not as it was"

#: A file that does not exist is created, with several servers, and removed with the last one.
mkdir -p home/.config/Code
for client in $clients; do
    works authctl credential install $client $url --name first
    works authctl credential install $client https://other.example.com/mcp --name second
    works authctl credential uninstall $client HTTPS://MCP.example.com:443/mcp/
    read_as $client >stdout
    json "list(d) == ['second']"
    works authctl credential uninstall $client --name second
    [ ! -e "$(file $client)" ] || fail "$client: $(cat "$(file $client)")"
done

#: Several processes that change a file at the same time do not overwrite each other's changes.
works authctl profile use work --create
mkdir -p home/.cursor
installs=()
for number in {1..8}; do
    authctl credential install cursor $url --name at-$number >out.$number 2>err.$number </dev/null &
    installs+=($!)
done
for install in "${installs[@]}"; do wait "$install"; done
read_as cursor >stdout
json "len(d) == 8"

#: Nothing to uninstall is not an error if another tool's file cannot be read.
mkdir -p home/.cursor
echo '{' >home/.cursor/mcp.json
works authctl credential uninstall aws
out 'nothing to change: authctl is not installed'

#: What the client or the user changed in the meantime stays; a rewritten entry is removed too.
existing
for client in $clients; do works authctl credential install $client $url; done
sed -i 's/^theme = "x"$/theme = "y"/; s/^args = \[.*--stdio.*/&\nenabled = true\n\n[mcp_servers.mcp-example-com.env]\nA = "1"/' home/.codex/config.toml
sed -i 's/"inputs": \[\]/"inputs": [1]/' home/.config/Code/User/mcp.json
cat >home/.config/goose/config.yaml <<Y
extensions:
  mcp-example-com:
    type: stdio
    cmd: $authctl
    args:
    - credential
    - mcp
    - --stdio
    - $url
  developer:
    enabled: true
Y
works authctl credential uninstall codex
sed 's/^theme = "x"$/theme = "y"/' before/codex | cmp - home/.codex/config.toml || fail "$(cat home/.codex/config.toml)"
works authctl credential uninstall vscode
sed 's/"inputs": \[\]/"inputs": [1]/' before/vscode | cmp - home/.config/Code/User/mcp.json || fail "$(cat home/.config/Code/User/mcp.json)"
works authctl credential uninstall goose
printf 'extensions:\n  developer:\n    enabled: true\n' | cmp - home/.config/goose/config.yaml || fail "$(cat home/.config/goose/config.yaml)"

#: Refuses a server that authctl did not create, and a file that it cannot change safely, and changes nothing.
existing
for client in claude-code codex vscode; do
    exits 1 authctl credential install $client $url --name other
    err "already has a server 'other', which authctl did not create"
done
printf 'mcp_servers = { a = { command = "x" } }\n' >home/.codex/config.toml
exits 1 authctl credential install codex $url
err 'another form'
printf 'extensions: {developer: {enabled: true}}\n' >home/.config/goose/config.yaml
exits 1 authctl credential install goose $url
err 'nothing was changed'
err 'hint: .*mcp-example-com'
printf '{\n"mcpServers": \n' >home/.cursor/mcp.json
exits 1 authctl credential install cursor $url
err "mcp.json' line 3 is not valid JSON; nothing was changed"
printf '[]' >home/.cursor/mcp.json
exits 1 authctl credential install cursor $url
err "mcp.json' is not a JSON object; nothing was changed"
rm home/.cursor/mcp.json
ln -s missing home/.cursor/mcp.json
exits 1 authctl credential install cursor $url
err "mcp.json' is a link to a file that does not exist"
[ -L home/.cursor/mcp.json ] || fail "the link is gone"
works authctl credential list
touch home/.cursor/missing
works authctl credential install cursor $url
[ -L home/.cursor/mcp.json ] && grep -q stdio home/.cursor/missing || fail "not installed"
works authctl credential uninstall cursor
[ -L home/.cursor/mcp.json ] && [ -f home/.cursor/missing ] && [ ! -s home/.cursor/missing ] || fail "not as before"
printf '{ // a comment\n}\n' >home/.claude.json
exits 1 authctl credential install claude-code $url
exits 64 authctl credential install codex
err 'authctl use codex https://mcp.example.com/mcp'
exits 64 authctl credential install codex $url --name 'a.b'
exits 64 authctl credential install git $url
exits 64 authctl credential install codex nonsense

#: The options of this call, and the locations that the clients' variables name, are used.
mkdir -p claude codex xdg/goose
CLAUDE_CONFIG_DIR=$PWD/claude works authctl credential install claude-code $url --profile work
grep -q -- '--profile work' claude/.claude.json || fail "no profile"
CODEX_HOME=$PWD/codex works authctl credential install codex $url --config-dir "$PWD/own"
grep -qF -- "\"--config-dir\",\"$PWD/own\"" codex/config.toml || fail "no directory"
XDG_CONFIG_HOME=$PWD/xdg works authctl credential install goose $url
[ -s xdg/goose/config.yaml ] || fail "no file"
mkdir -p home/.config/opencode
printf '{ // mine\n}\n' >home/.config/opencode/opencode.jsonc
works authctl credential install opencode $url
grep -q stdio home/.config/opencode/opencode.jsonc || fail "another file"
works authctl credential uninstall opencode
printf '{ // mine\n}\n' | cmp - home/.config/opencode/opencode.jsonc

#: Refuses a Codex server that is defined in another spelling, and a file that is not valid TOML, and changes nothing.
mkdir -p home/.codex
config=home/.codex/config.toml
# refused TEXT MESSAGE
refused() {
    printf "$1" >$config
    cp $config before
    exits 1 authctl credential install codex $url --name n
    err "$2"
    cmp $config before || fail "$(cat $config)"
}
for text in '["mcp_servers"."n"]\ncommand = "a"\n' "[mcp_servers . 'n']\ncommand = \"a\"\n" \
    '[mcp_servers]\nn = { command = "a" }\n' '[mcp_servers]\n"n".command = "a"\n' \
    '[mcp_servers.n.env]\nA = "1"\n' 'mcp_servers.n.command = "a"\n'; do
    refused "$text" "already has a server 'n', which authctl did not create"
done
refused 'mcp_servers = { n = { command = "a" } }\n' 'another form'
err 'hint: .*n = \{ command = '
refused '[[mcp_servers]]\n' 'another form'
refused 'a = 1\nb = [\n"c",\n' "config.toml' line 2 is not valid TOML"
for text in 'a = """\n[x]\n' "a = '''\n" 'a = [\n"b",\n' 'a = { b = [1, 2\n' 'a = "b\n' '[a\n'; do
    refused "$text" 'is not valid TOML.*nothing was changed'
done
printf 'a = """\n[mcp_servers.n]\n"""\nb = [\n  "]", # ]\n  [1, 2],\n]\n[mcp_servers]\nm = { command = "a" }\n' >$config
cp $config before
works authctl credential install codex $url --name n
read_as codex >stdout
json "d['n']['command'] == '$authctl' and d['m']['command'] == 'a'"
works authctl credential uninstall codex
cmp $config before || fail "$(cat $config)"

#: Uninstall removes the whole table, with what the user added to it, and leaves valid TOML.
mkdir -p home/.codex
config=home/.codex/config.toml
printf 'model = "m"\n' >$config
cp $config before
works authctl credential install codex $url --name n
printf 'x = [\n[1,2],\n[3],\n]\ny = """\n[z]\n"""\n' >>$config
works authctl credential list
out '^codex +https:'
works authctl credential uninstall codex
cmp $config before || fail "$(cat $config)"
printf '["mcp_servers".n]\ncommand = "%s"\nargs = [\n  "credential", "mcp", # mine\n  '"'--stdio'"', "%s",\n]\n# b\n[b]\n[mcp_servers.n.env]\nA = "1"\n' $authctl $url >$config
works authctl credential uninstall codex $url
[ "$(cat $config)" = "$(printf '# b\n[b]')" ] || fail "$(cat $config)"

#: The name authctl is a name like any other, and missing directories of a client are created.
for client in $clients; do
    works authctl credential install $client $url --name authctl
    works authctl credential install $client $url --name other
    works authctl credential uninstall $client --name authctl
    read_as $client >stdout
    json "list(d) == ['other']"
    works authctl credential uninstall $client
done
works authctl credential install mcp --resource $url --name authctl
works authctl credential install mcp --resource $url --name other
works authctl credential uninstall mcp --name authctl
cp .mcp.json stdout
json "list(d['mcpServers']) == ['other']"

#: A second URL does not replace the first; the hint installs both.
mkdir -p home/.codex home/.config/Code/User home/.cursor home/.config/opencode home/.config/goose
for client in $clients mcp; do
    option=
    [ $client != mcp ] || option=--resource
    works authctl credential install $client $option https://h.example/a
    exits 1 authctl credential install $client $option https://h.example/b
    err "already has a server 'h.example' for 'https://h.example/a'"
    err "hint: .*authctl credential install $client $option ?https://h.example/b --name h.example-2"
    works authctl credential install $client $option https://h.example/a
    out 'nothing to change'
    works authctl credential install $client $option https://h.example/a --profile work
    out 'profile work'
    works authctl credential install $client $option https://h.example/b --name h-example-2
    exits 1 authctl credential install $client $option https://h.example/c --name h-example-2
    err "hint: .*https://h.example/c --name h-example-2-2"
    works authctl credential uninstall $client --name third
    out "nothing to change: no server of authctl has the name 'third'"
    works authctl credential uninstall $client $option https://h.example/c
    out "nothing to change: no server of authctl has the URL 'https://h.example/c'"
    works authctl credential uninstall $client
    works authctl credential uninstall $client --name third
    out 'nothing to change: authctl is not installed'
done

#: The default name has the port, and is never empty.
while read -r address name; do
    works authctl credential install codex $address
    out ": server $name = "
done <<'L'
https://h.example:8443/mcp h-example-8443
https://g.example:443/mcp g-example
http://[::1]:8080/mcp 1-8080
https://[2001:db8::1]/mcp 2001db81
https://[::]/mcp server
L

#: A server at plain http is refused, as at a sign-in.
exits 78 authctl credential install cursor http://mcp.example.com/mcp
err "'http://mcp.example.com:80' is plain http, which others on the network can read"

#: If goose's file cannot be changed safely, the line of the hint is valid YAML.
mkdir -p home/.config/goose
config=home/.config/goose/config.yaml
printf 'extensions:\n- a\n' >$config
exits 1 authctl credential install goose $url
err 'this setting cannot be changed automatically'
printf 'extensions: {}\n' >$config
exits 1 authctl credential install goose $url
err 'hint: set .extensions. in the file like this: '
sed -n 's/.*in the file like this: //p' stderr >$config
grep -q '^extensions: {"mcp-example-com": {"enabled":true,' $config || fail "$(cat $config)"
works authctl credential install goose $url
out 'nothing to change'
printf 'extensions: {a: {enabled: true}}\n' >$config
exits 1 authctl credential install goose $url
printf 'extensions: {a: {enabled: true}, %s}\n' "$(sed -n 's/.*if it is in braces: //p' stderr)" >$config
works authctl credential install goose $url
out 'nothing to change'
