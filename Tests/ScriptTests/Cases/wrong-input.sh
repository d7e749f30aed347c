# Wrong input gets one error, and a command in its hint is not wrong usage. hints.sh follows hints to their end.

# hinted: reads command lines, runs each, and runs the commands of its hint in a copy of the home directory. A word in capitals
# stands for a value.
hinted() {
    local line status command count=0
    while read -r line; do
        [ -n "$line" ] || continue
        count=$((count + 1)) status=0
        eval "authctl $line" >stdout 2>stderr </dev/null || status=$?
        [ $status -gt 0 ] || fail "accepted: $line"
        [ "$(grep -c '^authctl: error: ' stderr)" = 1 ] || fail "not one error: $line"
        [ "$(grep -c '^authctl: hint: ' stderr)" -le 1 ] || fail "several hints: $line"
        while read -r command; do
            rm -rf copy && cp -r "$HOME" copy && status=0
            HOME=$PWD/copy eval "$command" >stdout 2>failed </dev/null || status=$?
            # A value that stands for another, and a second thing that is missing, are not the hint's errors.
            [ $status != 64 ] || grep -qE "'[A-Z-]+'| is required|standard input" failed \
                || fail "$line: the hint is wrong usage: $command: $(<failed)"
        done < <(sed -n 's/^authctl: hint: //p' stderr | grep -oE '(^|: |; )authctl [^;,]*' | sed 's/^[:;] //; s/\bURL\b/https:\/\/id.example.com/; s/TOOL$/git/; s/SHELL$/bash/; s/VAULT$/file/' || true)
    done
    [ $count -ge "$1" ] || fail "only $count"
}

#: Without a provider, the commands in hints for wrong input are not wrong usage.
hinted 60 <<'LINES'
token
token --provider github.com
token github.com
tokn
signin
signin github
signin googel.com
signin entra
signin okta
signin oidc.nowhere
signin --nonce x
signin --provder github.com
signin github.com --scope
signin --flow wrong
signin --port 99999
link
link google.com
reauth
reauth google.com
unlink
unlink google.com
whoami
status --bad
accounts switch typo
accounts bogus
accounts name
accounts lookup
accounts set-email
accounts import
providers add
providers add oidc.a
providers add oidc.a --client-id c
providers add gihub --client-id c
signin gitlb
signin id.example.com
providers set id.example.com --scope x
signin http://id.example.com
providers set
providers show
providers show oidc.a
providers remove github.com
providers check github.com
providers discover
providers lst
providers add github.com --client-secret x
profile use
profile use nowhere
profile set
profile set --vault
profile remove
profile rename default
profile import
profile unlock x
setup okat
exec
request
request api.example.com
request https://api.example.com
verify missing-file
credential install git
credential install gti
credential uninstall
credential list x
pending discard none
completion
doctor --bad
auth login
auth status --bad
config
logout --bad
token --shell fish
token --audience a
token --min-ttl x
accounts delete
LINES

#: After a sign-in, the commands in hints for wrong input are not wrong usage.
signed_in
hinted 20 <<'LINES'
token --provider oidc.tset
token --provider google.com
token --audience a
token --resource https://api.example.com/mcp
signin oidc.tset
link google.com
link --scope
reauth oidc.tset
unlink oidc.tset
unlink google.com
signout google.com
accounts name 'bad alias!'
accounts set-password
accounts delete
request https://api.example.com
request https://api.github.com/user
providers add oidc.test --client-id c --issuer https://id.example.com --scope openid
providers show oidc.tset
providers set oidc.test
providers set oidc.test --issuer nothing
profile set --directory firebase
credential install aws
exec -- no-such-command
accounts import missing
verify missing --issuer https://id.example.com
status --provider oidc.nowhere
request https://api.example.com --provider oidc.nowhere
providers remove oidc.tset
providers add oidc.b --issuer https://id.example.com --client-id c --register
providers add oidc.b --issuer nothing --client-id c
profile rename nowhere other
profile set --weak
accounts set-password --reauth
signin oidc.test --scope 'a"b'
signin oidc.test --link-pending
LINES

#: The hint is the corrected command line.
: >a.json
while IFS='|' read -r line hint; do
    eval "authctl $line" >stdout 2>stderr </dev/null && fail "accepted: $line"
    err "^authctl: hint: $hint$"
done <<'LINES'
token --bad|authctl token --help
exec|authctl exec --help
profile unlock x|authctl vault --help
login --bad|authctl signin --help
accounts bogus|authctl accounts --help
bogus|authctl --help
accounts rm ada|authctl accounts delete ada
accounts ls|authctl accounts list
providers delete oidc.a|authctl providers remove oidc.a
providers edit oidc.a|authctl providers set --help
providers lst|authctl providers list
profile create work|authctl profile use --create work
profile delete work|authctl profile remove work
request -h https://a.example|authctl request --help
--provider oidc.a token|authctl token --provider oidc.a
exec make -j|authctl exec -- make -j
exec --provider oidc.a --renew make|authctl exec --provider oidc.a --renew -- make
providers add oidc.a --client-secret hush|.* --client-secret-stdin, .*
providers add oidc.a --client-secret=hush|.* --client-secret-stdin, .*
credential kubectl github.com|authctl credential kubectl --provider github.com
credential kubectl oidc.work --type id|authctl credential kubectl --provider oidc.work --type id
credential kubectl --type id google|authctl credential kubectl --type id --provider google
exec https://mcp.example.com/mcp -- true|authctl exec --resource https://mcp.example.com/mcp -- true
whoami github.com|authctl whoami --help
credential kubectl hello|authctl credential kubectl --help
signin github.com --provider google.com|authctl signin --help
sigin github.com|authctl signin github.com
auth|authctl signin
auth login|authctl signin
auth login --hostname github.com|authctl signin --provider github.com
auth login --hostname x|authctl signin
auth login --hostname ghe.example.com|authctl signin
auth github.com|authctl signin github.com
auth --provider oidc.a|authctl signin --provider oidc.a
auth status --long|authctl status --long
auth token|authctl token
auth switch ada|authctl accounts switch ada
auth setup-git|authctl use git
auth refresh -s repo|authctl signin --provider github.com --scope repo
auth refresh --scopes repo,gist|authctl signin --provider github.com --scope repo,gist
auth print-access-token|authctl token
auth print-identity-token|authctl token --type id
auth list|authctl accounts list
auth revoke ada@example.com|authctl signout --revoke --account ada@example.com
auth configure-docker|authctl use docker
auth frobnicate|authctl --help
api /repos/a/b -q|authctl request https://api.github.com/repos/a/b -q
api https://ghe.example.com/api/v3/user|authctl request https://ghe.example.com/api/v3/user
refresh --provider github.com|authctl token --force-refresh --provider github.com
config|authctl profile --help
version|authctl --version
get-token --oidc-issuer-url=https://id.example.com|authctl credential kubectl
oidc-token work|authctl token --provider oidc.work
oidc-token oidc.work|authctl token --provider oidc.work
oidc-token --time=600 work|authctl token --help
oidc-add work|authctl vault unlock
oidc-gen work|authctl setup oidc.work
mcp-remote https://mcp.example.com/mcp|authctl signin --resource https://mcp.example.com/mcp
mcp-remote|authctl signin --help
unlock|authctl vault unlock
rename a b|authctl profile rename a b
discard|authctl link --discard
token --shell fish|authctl token --help
unlink|authctl unlink --help
signin --provder google.com|authctl signin --provider google.com
signin google.com --scope|authctl signin --help
providers add|.*: authctl setup
providers add oidc.a|.*: authctl setup oidc.a
profile use|authctl profile use --help
credential install gti|authctl use git
use --remove gti|authctl use git --remove
use --remove cusror https://mcp.example.com/mcp|authctl use cursor https://mcp.example.com/mcp --remove
providers remove oauth.linear|authctl providers list
token oauth.linear|authctl setup linear
request -d a.json https://a.example|authctl request --data a.json https://a.example
request -d '{"a":1}' https://a.example|authctl request --data - https://a.example
serve --socket s --allow provider=github.com,acount=ada|the form is provider=ID,resource=URL,account=A, .*
LINES

#: The message names what is wrong with a value.
signed_in
while IFS='|' read -r line message; do
    eval "authctl $line" >stdout 2>stderr </dev/null && fail "accepted: $line"
    err "$message"
done <<'LINES'
request 'https://api.example.com/a b'|has a space or another character that must be percent-encoded
request 'https://api.example.com/#a'|has a fragment, after '#'
request https://user:hunter@api.example.com/|a URL must not have a user name or password before its host
accounts set-photo ftp://example.com|is not an http or https URL
accounts set-name Ada --clear|--clear cannot be used with a name
providers add oidc.b --issuer https://id.example.com --client-id c --register|--register cannot be used with --client-id
providers remove oidc.tset|did you mean 'oidc.test'
profile set --weak|--weak requires --vault passphrase
serve --port 0 --upstream https://api.example.com --resource https://x.example/ --allow 'GET /x'|error: --upstream must be the server of --resource, 'https://x.example:443'
signin oidc.test --scope 'a"b'|'a"b' is not a scope
signin oidc.test --totp-stdin|this requires a Firebase project, but this profile uses the local directory
link --provider oidc.test --totp-stdin|this requires a Firebase project, but this profile uses the local directory
reauth --totp-stdin|this requires a Firebase project, but this profile uses the local directory
signin oidc.test --link-pending|sign-in failed: pending credential not found
status --provider oidc.nowhere|not signed in to 'oidc.nowhere': this provider is not configured
--provider oidc.a token|error: '--provider' belongs after the command
exec make -j|error: the command that exec runs must follow --
providers add oidc.a --client-secret=hush|visible to all users of this machine
LINES
exits 64 authctl request https://user:hunter@api.example.com/
no_err hunter
exits 78 authctl providers remove oidc.tset
no_err 'hint: '
echo '{}' >keys.json
exits 65 authctl verify keys.json --jwks keys.json --signature-only
err "'keys.json' is not a JWK Set"

#: A hint does not repeat a word that may be a secret.
for line in 'verify abcdefghijklmnopqrstuvwxyz' 'token --access-token=abcdefghijklmnopqrstuvwxyz' 'signin abcdefghijklmnopqrstuvwxyz' \
    'signin google.com --nonce abcdefghijklmnopqrstuvwxyz'; do
    eval "authctl $line" >stdout 2>stderr </dev/null && fail "accepted: $line"
    sed -n 's/^authctl: hint: //p' stderr >hint
    ! grep -q abcdefgh hint || fail "$line: $(<hint)"
done

#: For a misspelled name of a configured provider, the message has the right one.
signed_in
for line in 'token --provider oidc.tset' 'signin oidc.tset' 'reauth oidc.tset' 'unlink oidc.tset' 'link oidc.tset' 'signout --provider oidc.tset' 'providers show oidc.tset' \
    'request --provider oidc.tset https://api.example.com'; do
    eval "authctl $line" >stdout 2>stderr </dev/null && fail "accepted: $line"
    err "did you mean 'oidc.test'\?"
    no_err 'hint: '
done
for line in 'signin oidc.test' 'link oidc.test' 'providers show oidc.test' 'providers check oidc.test'; do
    for name in OIDC.TEST "$ISSUER"; do
        # The URL of an issuer names its provider.
        case "$line $name" in signin*http* | link*http*) continue ;; esac
        eval "authctl ${line/oidc.test/$name}" >stdout 2>stderr </dev/null && fail "accepted: $line"
        err "did you mean 'oidc.test'\?"
    done
done
exits 78 authctl providers add OIDC.TEST2 --issuer https://id.example.com --client-id c
no_err 'did you mean'
exits 78 authctl signin https://id.example.com
err "unknown provider 'https://id.example.com'"
err '^authctl: hint: to set up a provider: authctl setup https://id.example.com; for an API or MCP server: authctl signin --resource https://id.example.com$'

#: A secret in the wrong place of a command line is not repeated.
works authctl providers add github.com --client-id Ov23liEXAMPLE
while read -r words; do
    for secret in ghp_AAAAbbbbCCCCddddEEEEffff0123456789AB sk-ant-api03-AbCdEf0123456789AbCdEf01 a94a8fe5ccb19ba61c4c0873d391e987982fbbd3 \
        Zm9vYmFyQmF6MTIzNDU2Nzg5MGFiY2RlZg; do
        for more in "" --json; do
            # shellcheck disable=SC2086
            authctl ${words//SECRET/$secret} $more >stdout 2>stderr </dev/null || true
            ! grep -qF "$secret" stderr || fail "repeated by: authctl $words $more"
        done
    done
done <<'L'
signin --with-token SECRET
signin --provider SECRET
signin SECRET
signin --access-token SECRET
signin --id-token SECRET
signin --password-stdin SECRET
signin --totp-stdin SECRET
signin --scope SECRET --provider github.com --begin
signin --resource SECRET
signin --complete SECRET
signin --custom-token SECRET
signin --custom-token=SECRET
signin --account SECRET
signin --ci SECRET
signin --ci-source SECRET --ci github
signin --flow SECRET
signin --timeout SECRET
signin --email SECRET --provider password
signin --redirect-uri SECRET
signin --tenant SECRET
signin --param SECRET
token SECRET
token --provider SECRET
token --resource SECRET
token --account SECRET
token --type SECRET
token --min-ttl SECRET
token --format SECRET
token --repository SECRET
token --exchange --audience SECRET
token --subject-token SECRET
SECRET
SECRET foo
token SECRET=x
--SECRET
signin --SECRET
providers add oidc.x --issuer SECRET --client-id a
providers add oidc.x --issuer https://x.example --client-id SECRET --client-secret-env SECRET
providers add oidc.x --issuer https://x.example --client-id a --client-secret-file SECRET
providers add oidc.x --issuer https://x.example --client-id a --private-key SECRET
providers add SECRET --client-id a
providers add SECRET
providers set github.com --client-secret SECRET
providers set github.com --client-secret=SECRET
providers set github.com --client-secret-stdin SECRET
providers set github.com --client-secret-env SECRET
providers set github.com --base-url SECRET
providers set github.com --unset SECRET
providers show SECRET
providers check SECRET
providers remove SECRET
accounts switch SECRET
accounts show SECRET
accounts lookup SECRET
accounts rule add --directory SECRET x
accounts rule add --remote SECRET x
accounts alias SECRET SECRET
accounts import SECRET
accounts delete SECRET
verify SECRET
verify SECRET --issuer https://x.example --audience c
verify - --issuer SECRET --audience c
exec -- SECRET
exec SECRET
exec --env SECRET -- true
request SECRET
request https://api.github.com -H SECRET
request https://api.github.com -X SECRET
request https://api.github.com --data SECRET
credential docker SECRET
credential netrc SECRET
credential install SECRET
credential install git SECRET
credential mcp SECRET
credential mcp --stdio SECRET
credential kubectl SECRET
serve --socket SECRET
serve --socket /tmp/x.sock --allow SECRET
serve --upstream SECRET
profile set --api-key SECRET
profile set --vault SECRET
profile set --passphrase-fd SECRET
profile unlock SECRET
profile rename SECRET x
profile import SECRET
schema SECRET
status SECRET
whoami --field SECRET
doctor SECRET
setup SECRET
setup github.com --client-id SECRET SECRET
link SECRET
link --pending SECRET
reauth SECRET
unlink SECRET
signout SECRET
signout --account SECRET
--config-dir SECRET status
--profile SECRET status
status --profile=SECRET
completion SECRET
pending remove SECRET
accounts rename SECRET
help SECRET
exec --renew --file-as SECRET -- true
L
# A client ID, a UUID and the words of a path are repeated: hints must work when pasted.
exits 64 authctl token --account 72f988bf-86f1-41af-91ab-2d7cd011db47 --provider github.com
err 72f988bf-86f1-41af-91ab-2d7cd011db47
