# On the user's own desktop, an unlocked keyring has the key of a new store, without a question.
. "$ROOT/Tests/ScriptTests/setup.sh"
. "$ROOT/Tests/ScriptTests/keyring.sh"
emulator --as github.com --client-id client-1

# setup_github: sets up GitHub on a terminal, with the environment of this call.
setup_github() { person 0 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"; }

#: In a new store, the key is created in the unlocked keyring and never in a file.
# In a container the key is in a file, and this part has nothing to check.
[ ! -e /.dockerenv ] && [ ! -e /run/.containerenv ] || exit 0
bus
keyring
setup_github
out '^Tokens are stored encrypted; the key is in the desktop.s keyring'
[ ! -e "$config/key" ] || fail "a key in a file"
[ "$(items | wc -l)" = 1 ]
works authctl token
works authctl status --json
json "d['vault']['kind'] == 'keyring'"

#: The key is in a file over SSH, in a container, in CI and without a terminal, and in an existing store it stays there.
bus
keyring
for setting in SSH_CONNECTION=x container=podman; do
    (export "$setting" && setup_github) || fail "$setting"
    out '^Tokens are stored encrypted; the key is in ~/.config/authctl/key'
    [ -e "$config/key" ] && [ -z "$(items)" ] || fail "not in a file: $setting"
    rm -r "$config"
done
works authctl providers add github.com --base-url "$ISSUER" --client-id client-1
works authctl signin --provider github.com
[ -e "$config/key" ] && [ -z "$(items)" ] || fail "not in a file without a terminal"
works authctl signout
works authctl providers remove github.com
setup_github
[ -e "$config/key" ] && [ -z "$(items)" ] || fail "an existing store was moved"

#: A locked keyring is not unlocked, and its key is in a file.
empty_bus
service --locked --prompt silent
setup_github
[ -e "$config/key" ] || fail "no key in a file"
not_served 'CreateItem|Prompt|CreateCollection'

#: If the keyring refuses the key, it is in a file, and the registered client is not lost.
emulator
empty_bus
service --creating --prompt dismissed
person 0 'Name for this provider=' -- authctl setup "$ISSUER"
[ -e "$config/key" ] || fail "no key in a file"
