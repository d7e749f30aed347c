# Hints can be pasted: they contain the profile and the account of the command that failed.

# entry [FLAGS…]: starts an emulator with these flags, and adds it as oidc.test.
entry() {
    emulator "$@"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --replace
}

# follow COUNT STORE: reads lines `change; … | command line of authctl`. Each one begins in a copy of the directory STORE as the
# home directory. The command must fail. Then its hint is followed literally: the hint's first command runs, and the failed
# command again. After at most three hints, it works, or the hint is an explanation: text without a command, or a command that
# only shows something. The file `ends` gets one line for each command.
follow() {
    local count=0 line
    while IFS='|' read -r change line; do
        [ -n "$line" ] || continue
        count=$((count + 1)) line=${line# }
        rm -rf "$HOME" && cp -a "$2" "$HOME"
        (eval "$change" && followed "authctl $line") >followed 2>&1 || { echo "== $change| $line"; cat followed; } >>wrong
        echo "$line: $(tail -n 1 followed)" >>ends
    done
    [ ! -s wrong ] || { cat wrong >&2; fail "a hint does not help"; }
    [ $count = "$1" ] || fail "$count lines, not $1"
    rm -rf "$HOME" && cp -a "$2" "$HOME"
}
# followed LINE: follows the hints of one command line, and prints how that ended.
followed() {
    local hint command round
    ! eval "$1" >stdout 2>stderr </dev/null || { echo "it works"; return 1; }
    for round in 1 2 3; do
        [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] || { cat stderr; return 1; }
        hint=$(sed -n 's/^authctl: hint: //p' stderr)
        # Only these messages are explanations without a hint.
        if [ -z "$hint" ]; then
            grep -qE "did you mean '[^']+'[?] |: status 404 |: this account is already linked to |expire after one hour " stderr ||
                { echo "no hint"; cat stderr; return 1; }
            echo explained
            return 0
        fi
        echo "$(sed -n 's/^authctl: error: /error: /p' stderr)"
        echo "hint: $hint"
        # A command begins the hint, or follows a colon. A word in capitals stands for a value that only the user knows.
        command=$(grep -oE '(^|: )(authctl|chmod|cp|export|mkdir|mv|unset) [^;]*' <<<"$hint" | head -n 1 | sed -E 's/^: //; s/, (then|or) .*//' || true)
        if [ -z "$command" ] || grep -qE '(^| |/|=)[A-Z]{2,}( |$)' <<<"$command"; then echo explained; return 0; fi
        case "$command" in
            *" --help" | *" list" | "authctl setup"* | *" whoami" | *" show "* | *" lookup "* | *" discover "* | *" check "* | *" doctor" | *" status" | *" --begin")
                eval "$command" >stdout 2>stderr </dev/null || continue
                echo explained
                return 0
                ;;
        esac
        [ "$command" != "$1" ] || { echo "the command itself"; return 1; }
        eval "$command" >stdout 2>stderr </dev/null || continue
        # The wrong `signin` stays wrong, but the user is signed in.
        case "$1" in "authctl signin "*) echo "signed in after $round"; return 0 ;; esac
        ! eval "$1" >stdout 2>stderr </dev/null || { echo "solved after $round"; return 0; }
    done
    cat stderr
    return 1
}

#: In a CI job and with --no-input, no hint is a dialogue, and none repeats the command that failed.
entry
while read -r line; do
    CI=1 authctl $line >stdout 2>stderr </dev/null && fail "accepted: $line"
    err '^authctl: hint: authctl signin --ci auto$'
done <<'LINES'
signin --provider oidc.test --par --dpop
signin --provider oidc.test --flow device --scope notes.read
signin
token
exec -- env
LINES
CI=1 exits 4 authctl token --resource "$ISSUER/api"
err "hint: authctl signin --ci auto --resource $ISSUER/api$"
CI=1 exits 4 authctl token --provider oidc.deploy
err 'hint: authctl providers add --help$'
exits 4 authctl token --provider oidc.test --no-input
err 'hint: authctl signin oidc.test --begin$'
works authctl signin --provider oidc.test
CI=1 exits 4 authctl reauth --provider oidc.test --dpop
err 'hint: run it on a terminal$'
older 600
CI=1 exits 4 authctl accounts export --reauth
err 'hint: run it on a terminal$'
works authctl providers add oidc.second --issuer "$ISSUER" --client-id emulator-client
CI=1 exits 4 authctl link --provider oidc.second --prompt login
err 'hint: run it on a terminal$'

#: If a provider requires DPoP, the hint is --dpop.
entry --fault dpop-required
exits 65 authctl signin --provider oidc.test
err 'hint: add --dpop;'
works authctl signin --provider oidc.test --dpop

#: A hint contains the profile, the account and the config directory of the failed command.
entry
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --profile staging
works authctl signin --provider oidc.test
exits 4 authctl token --profile staging
err "hint: authctl signin --profile staging$"
exits 4 authctl request "$ISSUER/userinfo" --profile staging --config-dir "$HOME/.config/authctl"
err "hint: authctl signin --profile staging --config-dir $HOME/.config/authctl$"
exits 4 authctl token --resource "$ISSUER/api" --account ada@example.com
err "hint: authctl signin --resource $ISSUER/api$"
# The provider decides which user signs in.
exits 64 authctl signin oidc.test --account bob@example.com
err '^authctl: error: --account cannot be used with signin'
err 'to suggest a user, use --login-hint'
AUTHCTL_ACCOUNT=bob@example.com works authctl signin oidc.test
exits 64 authctl token --account nobody@example.com
err 'hint: authctl accounts list$'
exits 4 authctl token --profile nowhere
err 'hint: authctl profile list$'
AUTHCTL_PROFILE=staging exits 4 authctl token
err 'hint: authctl signin$'
CI=1 exits 4 authctl signin --provider oidc.test --profile staging
err 'hint: authctl signin --ci auto --profile staging$'
works authctl doctor --long --profile staging --config-dir "$PWD/nothing"
out "→ authctl signin --profile staging --config-dir $PWD/nothing$"

#: A provider that cannot be used does not prevent listing and checking the others.
entry
good=$ISSUER
openssl ecparam -name prime256v1 -genkey -noout -out key.pem
works authctl providers add oidc.akey --issuer "$good" --client-id emulator-client --private-key "$PWD/key.pem"
works authctl providers add oidc.closed --issuer "$good" --client-id emulator-client
sed -i "/oidc.closed/,\$s|issuer: .*|issuer: http://127.0.0.1:1|" "$HOME/.config/authctl/config.yaml"
echo broken >key.pem
exits 1 authctl providers check
out "^FAIL +oidc.akey .*key.pem' does not contain a private key"
out "^FAIL +oidc.closed .*cannot reach"
out "^ok +oidc.test +"
exits 1 authctl providers check --json
json "{c['providerId']: c['ok'] for c in d['checks']} == {'oidc.akey': False, 'oidc.closed': False, 'oidc.test': True}"
no_out 'HTTPS_PROXY'
# Checking a named provider that cannot be used is an error with its own code.
exits 78 authctl providers check oidc.akey
exits 69 authctl providers check oidc.closed
sed -i "/oidc.closed/,\$s|issuer: .*|issuer: nonsense|" "$HOME/.config/authctl/config.yaml"
works authctl providers list
out "^oidc.test +$good +emulator-client$"
out "^oidc.closed +cannot be used"
err "'oidc.closed' cannot be used: .*issuer.*; to check it: authctl providers check oidc.closed"
works authctl providers list --json
json "{p['providerId']: p['error'] is not None for p in d['providers']} == {'oidc.akey': False, 'oidc.closed': True, 'oidc.test': False}"
json "[p['error']['code'] for p in d['providers'] if p['error']] == ['invalid-configuration']"

#: Request and signout report an unusable client key even if there are other sessions.
openssl ecparam -name prime256v1 -genkey -noout -out key.pem
entry
works authctl signin --provider oidc.test
emulator --client-key key.pem
works authctl providers add oidc.akey --issuer "$ISSUER" --client-id emulator-client --private-key "$PWD/key.pem"
works authctl link --provider oidc.akey
works authctl request "$ISSUER/userinfo"
cp key.pem good.pem
echo broken >key.pem
exits 78 authctl request "$ISSUER/userinfo"
err "'$PWD/key.pem' does not contain a private key"
exits 78 authctl signout --provider oidc.akey --revoke
err "signed out on this machine, but the tokens of 'oidc.akey' were not revoked: '$PWD/key.pem' does not contain a private key"
err "authctl signout --retry$"
exits 78 authctl signout --retry
err "error: the tokens of 'oidc.akey' were not revoked: '$PWD/key.pem' does not contain a private key"
cp good.pem key.pem
works authctl signout --retry
err "the provider confirmed"

#: An error about an invalid value shows valid values.
exits 64 authctl token --min-ttl abc
err "'abc' is invalid for '--min-ttl <time>': a time must be like 90, 5m or 1h"
exits 64 authctl token --min-ttl -5
err "'--min-ttl <time>': a time must be like 90, 5m or 1h"
exits 64 authctl providers discover 127.0.0.1:9100/api
err "a URL must be like https://host/path"
exits 64 authctl request https://api.example.com --data '{"a":1}'
err 'names a file'
err '--data -'

#: Without a provider, the hints of 42 failures lead to an explanation.
mkdir -p nothing
follow 42 nothing <<'LINES'
| token
| token --provider github.com
| token --provider gihub.com
| token --resource https://api.example.invalid/mcp
| exec -- env
| request https://api.github.com/user
| request api.github.com/user
| whoami
| status --provider oidc.work
| signin
| signin github
| signin okta
| signin gitlb
| signin oidc.work
| signin https://id.example.invalid
| signin google.com --id-token missing
| signin --pending
| signin --ci auto
| link github.com
| link --pending
| reauth
| unlink github.com
| accounts switch ada
| accounts delete --yes
| accounts set-password
| providers show oidc.work
| providers check
| providers remove oidc.work
| providers set oidc.work --scope openid
| providers add oidc.work --issuer https://id.example.invalid --client-id c
| providers add oidc.work --issuer http://id.example.com --client-id c
| providers add oidc.work --client-id c
| profile use elsewhere
| profile unlock
| profile lock
| vault unlock
| vault lock
| credential kubectl --provider oidc.work
| credential docker get
| credential install kubectl
| verify missing --issuer https://id.example.com --audience a
| serve --socket s --allow github.com
LINES

#: In a CI job, the hints of 12 failures lead to an explanation, without a dialogue.
mkdir -p nothing
export CI=1
follow 12 nothing <<'LINES'
| token
| token --provider oidc.deploy
| token --provider github.com
| token --resource https://api.example.invalid/mcp
| exec -- env
| request https://api.github.com/user
| signin
| signin github.com
| link github.com
| reauth
| accounts export
| providers add oidc.work
LINES
! grep -E 'authctl (setup|signin --provider [^ ]+$)' ends || fail "a dialogue"

#: With a provider, the hints of 26 failures lead to a session, or to an explanation.
entry
cp -a "$HOME" configured
follow 26 configured <<'LINES'
| token
| token --provider oidc.test
| token --provider oidc.tset
| token --type id
| token --header
| exec -- true
| request "$ISSUER/userinfo"
| request https://mistyped.example.invalid/user
| whoami
| status
| link oidc.test
| reauth
| signin oidc.tset
| signin oidc.test --scope 'a"b'
| signin oidc.test --port 99999
| signin oidc.test --flow wrong
| signin oidc.test --dpop --id-token missing
| signin oidc.test --timeout 1 --no-browser
| providers show oidc.tset
| providers remove oidc.tset
| credential kubectl --provider oidc.test
| credential aws --provider oidc.test --role-arn arn:aws:iam::123456789012:role/deploy
| accounts delete --yes
chmod 755 "$HOME/.config/authctl"; chmod 777 "$HOME/.config/authctl" | token
export AUTHCTL_PROFILE='a b' | token
export AUTHCTL_ACCOUNT=nobody@example.com | token
LINES
grep -q '^token: solved' ends && grep -q '^whoami: solved' ends || fail "$(cat ends)"

#: After a sign-in, the hints of 31 failures lead to a valid session, or to an explanation.
entry --fault refresh-invalid-grant
works authctl signin oidc.test
cp -a "$HOME" signed
follow 31 signed <<'LINES'
session_set tokens.expiresAt 1 | token
session_set tokens.expiresAt 1 | token --provider oidc.test --header
session_set tokens.expiresAt 1 | exec -- true
session_set tokens.expiresAt 1 | request "$ISSUER/userinfo"
authctl signout 2>/dev/null | token
authctl signout 2>/dev/null | whoami --account nobody
older 600 | accounts export
older 600 | accounts set-email grace@example.com
| token --account nobody
| token --provider github.com
| token --resource https://api.example.invalid/mcp
| token --min-ttl 99999999
| token --proof GET https://api.example.com/
| request https://api.github.com/user
| request https://mistyped.example.invalid/user
| request "$ISSUER/nothing"
| link github.com
| link oidc.test
| unlink oidc.test
| unlink google.com
| signin --pending
| accounts switch nobody
| accounts set-password
| accounts delete
| credential install aws
chmod 644 "$HOME/.config/authctl/key" | token
chmod 644 "$HOME/.config/authctl/authctl.db" | token
mv "$HOME/.config/authctl/authctl.db" db; ln -s "$PWD/db" "$HOME/.config/authctl/authctl.db" | token
echo nonsense >"$HOME/.config/authctl/key"; chmod 600 "$HOME/.config/authctl/key" | token
export AUTHCTL_PROFILE=nowhere | token
export AUTHCTL_ACCOUNT=nobody@example.com | token
LINES
grep -c ': solved' ends >solved
[ "$(<solved)" -ge 10 ] || fail "only $(<solved) solved: $(cat ends)"

#: For a protected resource, the hints of 13 failures lead to its token, or to an explanation.
emulator --fault refresh-invalid-grant
mkdir -p nothing
follow 6 nothing <<'LINES'
| token --resource "$ISSUER/api"
| exec --resource "$ISSUER/api" -- true
| request "$ISSUER/api/notes"
| credential mcp "$ISSUER/api"
| signin "$ISSUER/api"
| signin --resource "$ISSUER/nothing"
LINES
works authctl signin --resource "$ISSUER/api"
cp -a "$HOME" signed
follow 7 signed <<'LINES'
session_set tokens.expiresAt 1 | token --resource "$ISSUER/api"
session_set tokens.expiresAt 1 | token --resource "$ISSUER/api/notes"
session_set tokens.expiresAt 1 | request "$ISSUER/api/notes"
session_set tokens.expiresAt 1 | credential mcp "$ISSUER/api"
authctl signout 2>/dev/null | token --resource "$ISSUER/api"
| token --resource https://api.example.invalid/mcp
| request https://mistyped.example.invalid/mcp
LINES
grep -E '^(token|request|exec|credential).*: solved' ends >solved
[ "$(wc -l <solved)" -ge 9 ] || fail "$(cat ends)"
