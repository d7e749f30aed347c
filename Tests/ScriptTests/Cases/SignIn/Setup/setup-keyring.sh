# Setup offers a working keyring for the key of a new store. Enter stores the key in a file.
. "$ROOT/Tests/ScriptTests/setup.sh"
. "$ROOT/Tests/ScriptTests/keyring.sh"
emulator --as github.com --client-id client-1

#: If the user accepts the keyring, the key is created there and never in a file.
bus
keyring
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' "in the desktop keyring instead of a file? [y/N]=y" -- authctl setup github.com --base-url "$ISSUER"
out 'the encryption key is in the keyring'
[ ! -e "$config/key" ] || fail "a key in a file"
[ "$(items | wc -l)" = 1 ]
works authctl token
works authctl status --json
json "d['vault']['kind'] == 'keyring'"

#: Stores the key in a file if the user declines, and stores nothing if the user cancels.
bus
keyring
person 2 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' "instead of a file? [y/N]=^D" -- authctl setup github.com --base-url "$ISSUER"
nothing
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' "instead of a file? [y/N]=" -- authctl setup github.com --base-url "$ISSUER"
[ -e "$config/key" ] && [ -z "$(items)" ]

#: Does not offer a locked keyring, or any keyring for a store that already has a key.
empty_bus
service --locked --prompt silent
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
no_out 'instead of a file'
not_served 'CreateItem|Prompt|CreateCollection'
bus
keyring
works authctl providers remove github.com
person 0 'Use it for git=n' 'Open the page=n' 'Client ID: =client-1' -- authctl setup github.com --base-url "$ISSUER"
no_out 'instead of a file'

#: If the keyring fails, no client is registered that would be lost.
emulator
empty_bus
service --creating --prompt dismissed
person 2 'Local name=' 'instead of a file? [y/N]=y' -- authctl setup "$ISSUER"
served CreateItem
[ "$(requests register)" = 0 ] || fail "the registered client is lost"
