# Wrong input gets one clear line, a hint and the right exit code, and never a question in a non-interactive run.
exits 64 authctl token --bad
err "authctl: error: Unknown option '--bad'.*\(usage\)"
err 'authctl: hint: authctl token --help'
exits 64 authctl nonsense
err "'nonsense' is not a command"
exits 64 authctl tokne
err "did you mean 'token'\?"
exits 64 authctl help tokn
err 'hint: authctl token --help$'
exits 64 authctl exec --provider github.com --provider google.com -- env
err '.-provider can be given only once'
exits 64 authctl help bogus
err "'bogus' is not a command"
for options in --json -q '--profile work' 'accounts -v'; do
    exits 64 authctl $options
    err 'a command is required'
done
exits 64 authctl credential install git --host /
err 'hint: authctl use --help'
exits 64 authctl providers add oidc.test --client-secret hush
err 'visible to all users of this machine'
no_err 'hush'
exits 64 authctl request -X FOO https://api.example.com
err 'GET, HEAD, POST, PUT, PATCH, DELETE'
exits 4 authctl token --provider github.com
err "not signed in to 'github.com' .not-signed-in.$"
err 'hint: authctl signin github.com$'
exits 4 authctl token --provider google.com
err "not signed in to 'google.com': this provider is not configured"
err 'hint: authctl setup google.com$'
exits 4 authctl token
err 'not signed in: no provider is configured .not-signed-in.'
err 'hint: authctl setup$'
for line in 'token' 'exec -- env' 'request https://api.example.com/'; do
    CI=true exits 4 authctl $line
    err "hint: authctl signin --ci auto$"
done
exits 64 authctl token -h github.com
err "'-h' prints the help"
err 'hint: authctl token --provider github.com$'
[ ! -s stdout ] || fail "the help on standard output"
exits 64 authctl token --json --header
exits 64 authctl signin --param state=x --provider oidc.test
err "'state' cannot be set"
exits 64 authctl signin --nonce x
err 'hint: authctl signin --help$'
exits 64 authctl providers add oidc.test --issuer https://id.example.com
exits 64 authctl providers add oidc.test --client-id c
err 'hint: authctl providers add --help$'
exits 64 authctl request api.example.com/user
err 'hint: authctl request https://api.example.com/user$'
exits 64 authctl request user
err "'user' is not an http or https URL"
err 'hint: authctl request --help$'
exits 4 authctl request -XPOST -H'Accept: text/plain' https://api.example.com/
err 'not signed in'
exits 78 authctl providers add gihub.com --issuer https://id.example.com --client-id c
exits 78 authctl signin --provider oidc.nowhere
err 'is not configured'
exits 78 authctl signin
err 'no provider is configured'
err 'hint: authctl setup$'
CI=true exits 78 authctl signin
err "hint: authctl signin --ci auto$"
exits 78 authctl providers add oidc.test --issuer http://id.example.com --client-id c
err 'plain http'
exits 78 authctl setup http://id.example.com
err 'hint: use https$'
exits 78 authctl providers add oidc.test --issuer https://accounts.google.com@evil.example --client-id c
exits 69 authctl providers add oidc.test --issuer https://no-such-host.invalid --client-id c
[ ! -e "$HOME/.config/authctl/config.yaml" ] || fail "nothing is added by a failure"
exits 4 authctl token --json
python3 -c "import json; e=json.loads(open('stderr').read().splitlines()[-1])['error']; assert e['code']=='not-signed-in' and e['hint'] and e['message']" || fail "the error object"
works authctl --version
out "^swift-argument-parser [0-9.]+$"
out '^authctl [0-9.]+'
for library in Swift OpenSSL libcurl SQLite; do out "^$library [0-9]+\.[0-9]"; done
works authctl help signin
[ "$(wc -l <stdout)" -le 30 ] || fail "a long help"
no_out '^  --issuer'
works authctl help signin ci
out '^CI job \(authctl signin\):$'
out '^  --issuer URL '
no_out '^  --flow'
works authctl signin --help-all
out '^  --issuer URL '
out '^  --config-dir DIR '
exits 64 authctl help signin cx
err "'cx' is not a group of options: options, authorization, .*, ci, .*, global \(usage\)"
err 'hint: authctl signin --help$'
works authctl status --help

emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
CI=1 exits 4 authctl signin --provider oidc.test
err 'interaction-required'
err 'hint: authctl signin --ci auto$'
exits 4 authctl signin --provider oidc.test --no-input
err 'hint: authctl signin oidc.test --begin$'
exits 4 authctl signin test --no-input
err 'hint: authctl signin test --begin$'
exits 64 authctl signin oidc.test --flow client-credentials --prompt login
err '^authctl: error: --prompt cannot be used with --flow client-credentials'
for reserved in client_id redirect_uri response_type response_mode scope state nonce code_challenge code_challenge_method; do
    exits 64 authctl signin --param "$reserved=x"
    err "'$reserved'"
done
# Another process uses the port.
python3 -c "
import socket, sys, time
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print(s.getsockname()[1], flush=True); sys.stdin.read()" >port < <(tail -f /dev/null --pid=$$) &
servers+=($!)
exits 1 authctl signin --port "$(awaits port '[0-9]+')"
err 'is in use'
works authctl providers remove oidc.test
exits 78 authctl providers remove oidc.test

# No shell has expanded ~/ in these values.
exits 64 authctl status --config-dir=~/foo
err "begins with ~/, which no shell has expanded: '~/foo'"
err "hint: use the path itself: $HOME/foo$"
AUTHCTL_CONFIG_DIR='~/foo' exits 78 authctl signin
err 'AUTHCTL_CONFIG_DIR begins with ~/'
exits 64 authctl profile set --one-account-per-email nein
err "Please provide one of 'on' and 'off'"
