# A locked keyring and a user at a terminal, with a service that controls its prompter.
. "$ROOT/Tests/ScriptTests/keyring.sh"

# a_locked_keyring HOW [FLAGS…]: a store whose key is in a keyring that is locked by now.
a_locked_keyring() {
    empty_bus
    service --prompt "$@"
    a_store
    works authctl profile set --vault keyring
    works authctl profile lock
    : >service.log
}

#: Waits until the user unlocks the keyring, and then prints the token.
a_locked_keyring opens
on_terminal authctl token -q || fail "$(cat stdout)"
served 'Completed opened'
works authctl token
works authctl profile lock
on_terminal authctl profile unlock || fail "$(cat stdout)"
out 'waiting for the desktop to unlock the keyring, at most 300 s'
out 'keyring, open'
works authctl token

#: Supports a service that completes the prompt late and does not list locked items.
a_locked_keyring late --hidden
exits 4 authctl status --json
json "d['vault']['state'] == 'locked'"
exits 4 authctl token
not_served 'Unlock|Prompt'
on_terminal authctl token || fail "$(cat stdout)"

#: If the user declines, fails and creates no key, neither in the keyring nor in a file.
a_locked_keyring dismissed
code=0
on_terminal authctl token || code=$?
[ $code = 2 ] || fail "exit $code: $(cat stdout)"
out 'was not unlocked'
out '\(user-cancelled\)'
code=0
on_terminal authctl profile set --vault file || code=$?
[ $code = 2 ] || fail "exit $code: $(cat stdout)"
not_served 'CreateItem|Delete|CreateCollection'
[ ! -e "$config/key" ] || fail "a key in a file"

#: A prompter that fails, or a service that wrongly reports an unlocked keyring, leaves the store locked.
for how in fails lies; do
    a_locked_keyring $how
    code=0
    on_terminal authctl token || code=$?
    # The duration distinguishes an invisible prompt from a refusal; a machine can be too slow for that.
    [ $code = 4 ] || [ $how$code = fails2 ] || fail "$how: exit $code: $(cat stdout)"
    out 'vault-locked|user-cancelled'
    kill "$SERVICE"
    export AUTHCTL_CONFIG_DIR=$PWD/config.$how
    config=$AUTHCTL_CONFIG_DIR
done

#: Without a response, prints what it waits for, dismisses the prompt and times out.
a_locked_keyring silent
code=0
began=$(date +%s%N)
on_terminal authctl token --timeout 2 || code=$?
took=$((($(date +%s%N) - began) / 1000000))
[ $code = 3 ] || fail "exit $code: $(cat stdout)"
[ $took -ge 2000 ] && [ $took -lt 10000 ] || fail "$took ms"
out 'waiting for the desktop to unlock the keyring, at most 2 s'
out '\(timeout\)'
served '^Dismiss$'

#: Does not wait for a service that ends during the prompt.
a_locked_keyring dies
code=0
on_terminal authctl token || code=$?
[ $code = 74 ] || fail "exit $code: $(cat stdout)"
out '\(vault-unavailable\)'

#: If the collection is locked and there is no terminal, the key is not moved and no prompt is shown.
empty_bus
service --locked --prompt silent
a_store
exits 4 authctl profile set --vault keyring
not_served 'CreateItem|Prompt|CreateCollection'
[ -e "$config/key" ]
works authctl token
works authctl status --json
json "d['vault']['kind'] == 'file'"

#: If the service prompts before it stores an item, the key is moved only after the user confirms.
empty_bus
service --creating --prompt opens
a_store
exits 4 authctl profile set --vault keyring
[ -e "$config/key" ]
on_terminal authctl profile set --vault keyring || fail "$(cat stdout)"
[ ! -e "$config/key" ]
works authctl token
kill "$SERVICE"
service --creating --prompt dismissed
export AUTHCTL_CONFIG_DIR=$PWD/other
config=$AUTHCTL_CONFIG_DIR
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
code=0
on_terminal authctl profile set --vault keyring || code=$?
[ $code = 2 ] || fail "exit $code: $(cat stdout)"
[ -e "$config/key" ]
works authctl token
