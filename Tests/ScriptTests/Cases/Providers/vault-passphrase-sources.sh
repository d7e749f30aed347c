# Sources of a passphrase: a descriptor, a file, a command, a service's credentials, or a user at a terminal.

# sealed: a signed-in user, and a key encrypted with a passphrase that no source provides any more.
sealed() {
    signed_in
    (umask 077; printf 'a b'\''c and more\n' >right; echo wrong >wrong)
    cat right >>secrets
    AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl profile set --vault passphrase
}
asked() { python3 "$ROOT/Tests/Servers/terminal.py" "$@"; }

#: Without a source or a terminal, the store is locked (exit 4), and the hint shows how to unlock it.
sealed
exits 4 authctl token --no-input --json
failed 'e["code"] == "vault-locked" and "vault unlock" in e["hint"]'
CI=1 exits 4 authctl token
exits 4 setsid -w authctl token
exits 4 authctl profile set --vault file --no-input
exits 4 authctl status --no-input --json
json 'd["vault"] == {"kind": "passphrase", "state": "locked", "until": None} and d["accounts"][0]["sessions"][0]["state"] == "locked"'
AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl status --no-input --json
json 'd["accounts"][0]["sessions"][0]["state"] == "fresh"'
works authctl accounts list --no-input

#: Refuses a passphrase file that other users can read or write, an empty one and a missing one.
sealed
export AUTHCTL_PASSPHRASE_FILE=$PWD/right
works authctl token --no-input
for mode in 644 640 620 602; do
    chmod $mode right
    exits 78 authctl token
    err "AUTHCTL_PASSPHRASE_FILE names '$PWD/right', which can be read or written by other users \\(mode 0$mode\\)"
    err "hint: chmod 600 $PWD/right"
done
chmod 400 right
works authctl token
printf '' >empty
chmod 600 empty
AUTHCTL_PASSPHRASE_FILE=$PWD/empty exits 78 authctl token
err 'it is empty'
AUTHCTL_PASSPHRASE_FILE=$PWD/none exits 78 authctl token
err 'No such file'
AUTHCTL_PASSPHRASE_FILE=$PWD exits 78 authctl token
err 'not a regular file'
AUTHCTL_PASSPHRASE_FILE=<(cat right) works authctl token

#: Splits a passphrase command like a shell, runs it without one, and uses its first output line.
sealed
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >arguments\nenv >environment\ncat "$PWD/right"; echo second\n' >give
chmod 755 give
export AUTHCTL_PASSPHRASE_COMMAND="$PWD/give 'one two' \"three \\\"four\\\"\" five\\ six \$HOME;id *"
works authctl token
[ "$(cat arguments)" = 'one two
three "four"
five six
$HOME;id
*' ] || fail "the arguments: $(cat arguments)"
! grep AUTHCTL_PASSPHRASE environment || fail "the command knows where passphrases come from"
AUTHCTL_PASSPHRASE_COMMAND="sh -c 'cat right; cat right >&2; exit 3'" exits 78 authctl token
err "AUTHCTL_PASSPHRASE_COMMAND: 'sh' ended with status 3"
AUTHCTL_PASSPHRASE_COMMAND="true" exits 78 authctl token
err 'did not print a passphrase'
AUTHCTL_PASSPHRASE_COMMAND="no-such-program" exits 78 authctl token
err 'cannot be run: No such file'
AUTHCTL_PASSPHRASE_COMMAND="cat 'right" exits 78 authctl token
err 'unterminated quote'
AUTHCTL_PASSPHRASE_COMMAND="cat wrong" exits 65 authctl token

#: Reads the passphrase from the credentials directory of a systemd service.
sealed
mkdir -m 700 credentials
export CREDENTIALS_DIRECTORY=$PWD/credentials
exits 4 authctl token --no-input
install -m 400 right credentials/authctl-passphrase
works authctl token --no-input
chmod 444 credentials/authctl-passphrase
exits 78 authctl token --no-input
err "the credential '$PWD/credentials/authctl-passphrase', which can be read"

#: --passphrase-fd takes precedence over other sources, and exec closes the descriptor.
sealed
export AUTHCTL_PASSPHRASE_FILE=$PWD/wrong
works authctl token --passphrase-fd 3 3<right
works authctl token --passphrase-fd 7 7< <(cat right)
exits 64 authctl token --passphrase-fd 9
err 'descriptor 9 cannot be read: Bad file descriptor'
exits 64 authctl token --passphrase-fd 3 3</dev/null
err 'it is empty'
exits 65 authctl token --passphrase-fd 3 3<wrong
works authctl exec --passphrase-fd 3 -- sh -c 'cat <&3 || echo closed' 3<right
out '^closed$'

#: exec --renew can refresh the token with the passphrase of --passphrase-fd.
(umask 077; echo 'correct horse' >right)
emulator --access-ttl 3
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl profile set --vault passphrase --passphrase-fd 3 3<right
works authctl exec --no-input --renew --min-ttl 1 --passphrase-fd 3 -- sh -c 'first=$(cat "$AUTHCTL_TOKEN_FILE"); while [ "$(cat "$AUTHCTL_TOKEN_FILE")" = "$first" ]; do :; done' 3<right
no_err 'not refreshed'

#: exec does not prompt while its program uses the terminal, and reports that the token was not refreshed.
(umask 077; echo 'correct horse' >right)
emulator --access-ttl 3
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
works authctl profile set --vault passphrase --passphrase-fd 3 3<right
: >notes
# The kernel has no cached key for the refresh.
asked "Passphrase of=correct horse" -- python3 "$ROOT/Tests/Servers/without_keys.py" EPERM sh -c 'authctl exec --renew --min-ttl 1 -- sh -c "until grep -q \"not refreshed\" notes; do :; done; echo over" 2>notes' >shown
grep -q over shown || { cat shown; fail "the program did not end"; }
[ "$(grep -c 'Passphrase of' shown)" = 1 ] || { cat shown; fail "asked beside the program"; }
grep -q 'not refreshed: .*locked' notes || { cat notes; fail "not said why"; }

#: Programs started by exec do not get the passphrase's source.
sealed
export AUTHCTL_PASSPHRASE_FILE=$PWD/right AUTHCTL_PASSPHRASE_COMMAND='cat right' AUTHCTL_PROFILE=default
works authctl exec -- env
out '^AUTHCTL_TOKEN='
out '^AUTHCTL_PROFILE=default'
no_out 'AUTHCTL_PASSPHRASE'
works authctl exec --renew -- env
no_out 'AUTHCTL_PASSPHRASE'
printf '#!/bin/sh\nenv >browser\nexec curl -sSL -o /dev/null "$1"\n' >browse
chmod 755 browse
BROWSER=$PWD/browse works authctl signin --provider oidc.test
! grep AUTHCTL_PASSPHRASE browser || fail "the browser knows where passphrases come from"

#: On a terminal, asks for the hidden passphrase, at most three times.
sealed
asked "Passphrase of authctl's key: =a b'c and more" -- authctl token >shown
! grep -F "a b'c and more" shown || fail "the passphrase was shown"
grep -q 'the kernel stores the key for 8 h' shown || { cat shown; fail "nobody was told how long"; }
works authctl token --no-input
works authctl profile lock
works authctl profile lock
exits 4 authctl token --no-input
asked "Passphrase of=one" "Passphrase of=a b'c and more" -- authctl token >shown
grep -q '^Wrong passphrase' shown || { cat shown; fail "nobody was told that it was wrong"; }
works authctl profile lock
code=0
asked "Passphrase of=one" "Passphrase of=two" "Passphrase of=three" -- authctl token >shown || code=$?
[ $code = 65 ] || { cat shown; fail "exit $code after three wrong ones"; }
[ "$(grep -c 'Passphrase of' shown)" = 3 ] || { cat shown; fail "not asked three times"; }

#: Does not prompt if prompts are disabled; Ctrl-D, an empty line and the timeout end the prompt.
sealed
code=0; asked -- authctl token --no-input >shown || code=$?
[ $code = 4 ] || { cat shown; fail "exit $code with --no-input"; }
code=0; asked "Passphrase of=$(printf '\004')" -- authctl token >shown || code=$?
[ $code = 2 ] && grep -q user-cancelled shown || { cat shown; fail "exit $code after Ctrl-D"; }
code=0; asked "Passphrase of=" "Passphrase of=" "Passphrase of=" -- authctl token >shown || code=$?
[ $code = 2 ] || { cat shown; fail "exit $code after nothing"; }
code=0; asked -- authctl token --timeout 1 >shown || code=$?
[ $code = 3 ] && grep -q 'the key was not unlocked within 1 second' shown || { cat shown; fail "exit $code after a second"; }

#: Asks on the terminal even if standard input is a pipe, and restores the echo.
sealed
asked "Passphrase of=a b'c and more" -- sh -c 'echo data | authctl exec -- cat; stty -a' >shown
grep -q '^data' shown || { cat shown; fail "standard input was taken"; }
grep -qE '(^| )echo( |$)' shown || { cat shown; fail "the echo is off"; }
works authctl profile lock

#: A new passphrase is typed twice on a terminal and read once from other sources; an empty one is refused.
signed_in
asked "New passphrase of authctl's key: =one two three" "Confirm passphrase: =one two four" "New passphrase=" \
    "New passphrase=one two three" "Confirm passphrase=one two three" -- authctl profile set --vault passphrase >shown
! grep -F "one two" shown || fail "the passphrase was shown"
grep -q 'The passphrases differ' shown && grep -q 'must not be empty' shown || { cat shown; fail "the reason was not printed"; }
works authctl token --no-input
works authctl profile lock
(umask 077; printf 'one two three' >right; printf '\n' >empty)
exits 64 authctl token --passphrase-fd 3 3<empty
err 'it is empty'
AUTHCTL_PASSPHRASE_FILE=$PWD/right works authctl token
AUTHCTL_PASSPHRASE_FILE=$PWD/right exits 64 authctl profile set --vault passphrase --passphrase-fd 3 3<empty
err 'descriptor 3 cannot be read: it is empty'

#: A new passphrase of fewer than 8 characters is refused without --weak.
signed_in
(umask 077; echo short >short)
AUTHCTL_PASSPHRASE_FILE=$PWD/short exits 7 authctl profile set --vault passphrase
err 'the new passphrase has fewer than 8 characters \(weak-password\)'
err 'hint: .*authctl vault passphrase --weak'
[ ! -e "$HOME/.config/authctl/key.wrapped" ] || fail "the key was encrypted with it"
works authctl token
asked "New passphrase=short" "New passphrase=long enough" "Confirm passphrase=long enough" -- \
    authctl profile set --vault passphrase >shown
grep -q 'at least 8 characters' shown || { cat shown; fail "the reason was not printed"; }
(umask 077; echo long enough >long)
AUTHCTL_PASSPHRASE_FILE=$PWD/long works authctl token
AUTHCTL_PASSPHRASE_FILE=$PWD/long works authctl profile set --vault file
AUTHCTL_PASSPHRASE_FILE=$PWD/short works authctl profile set --vault passphrase --weak
AUTHCTL_PASSPHRASE_FILE=$PWD/short works authctl token
exits 64 authctl profile set --vault file --weak
err '--weak requires --vault passphrase'

#: After three wrong confirmations of a new passphrase, the command fails and changes nothing.
signed_in
code=0
asked "New passphrase=first one" "Confirm passphrase=first two" "New passphrase=first one" "Confirm passphrase=first two" \
    "New passphrase=first one" "Confirm passphrase=first two" -- authctl profile set --vault passphrase >shown || code=$?
[ $code = 65 ] || { cat shown; fail "exit $code"; }
grep -q 'no passphrase was chosen in three attempts (wrong-passphrase)' shown || { cat shown; fail "no reason"; }
works authctl token

#: A note says that the passphrase did not change if its source still has the old one.
sealed
no_err 'did not change'
export AUTHCTL_PASSPHRASE_FILE=$PWD/right
works authctl profile set --vault passphrase
err 'the passphrase did not change; --passphrase-fd reads a new one$'
(umask 077; echo 'a new passphrase' >new)
works authctl profile set --vault passphrase --passphrase-fd 3 3<new
no_err 'did not change'
exits 65 authctl token
AUTHCTL_PASSPHRASE_FILE=$PWD/new works authctl token
