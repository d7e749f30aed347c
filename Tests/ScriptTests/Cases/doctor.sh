# doctor: a line for each subject, and details only of what is not fine.

#: If everything is fine, one line for this machine and for each provider.
signed_in
BROWSER=true works authctl doctor
diff stdout - <<'LINES' || fail "the lines"
ok  this machine  files, key, clock, ports, browser
ok  test          signed in as ada@example.com

Everything is fine.
LINES
works authctl doctor test
out '^ok  test  signed in as ada@example.com$'
no_out 'this machine'
works authctl doctor test/ada@example.com --json
json "{c['name'] for c in d['checks']} == {'oidc.test'}"
exits 78 authctl doctor work
err "unknown provider 'work'"

#: A problem has its subject, a sentence and the command that ends it; the exit code is 1.
emulator --client-secret secret-of-the-test
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 1 authctl doctor
out '^problem +test +Client: the provider rejects it: invalid_client'
out 'rejects it: .*[^.]\.$'
out '^ +If the client ID is right, enter the secret again: authctl providers set oidc.test --client-secret-stdin$'
out '^1 problem. Every check: authctl doctor --long$'
exits 1 authctl doctor --long
out '^WRONG +oidc.test +client: the provider rejects it'

#: With a lost key there is one problem: no valid rule is called wrong, and what needs the key is not checked.
provider google.com
works authctl signin google.com
works authctl accounts rule add --directory . ada@example.com
mv "$HOME/.config/authctl/key" "$HOME/.config/authctl/gone"
exits 1 authctl doctor
out '^problem +this machine +'
out '^1 problem. '
no_out 'the rule|secret is'
exits 1 authctl doctor --json
json "[c['name'] for c in d['checks'] if c['status'] == 'wrong'] == ['store']"

#: A session that has expired is a note with the command.
emulator --fault no-refresh-token --access-ttl 1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
until ! authctl status >stdout 2>stderr; do next_second; done
BROWSER=true works authctl doctor
out '^note +test +The session with .oidc.test. has expired.$'
out '^ +authctl signin oidc.test$'

#: A URL is examined as providers discover does it.
emulator
works authctl doctor "$ISSUER/nothing" --json
json "d['issuer'] is None"

#: At 40 columns, each subject has a line of its own.
. "$ROOT/Tests/ScriptTests/terminal.sh"
emulator --client-secret secret-of-the-test
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
terminal 40 24 'authctl doctor'
shows '^problem  test$'
shows '^    Client: the provider rejects it:$'
shows '^    If the client ID is right'

#: With a lost key, no session is called ok.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
mv "$HOME/.config/authctl/key" "$HOME/.config/authctl/gone"
exits 1 authctl doctor
out '^not checked +test +Because of an earlier problem.$'
exits 1 authctl doctor test
out '^problem +test +'

#: A configuration directory that cannot be made is a problem before the first command that stores data.
plain=()
[ "$(id -u)" != 0 ] || plain=(setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search)
mkdir closed
chmod 555 closed
export AUTHCTL_CONFIG_DIR=$PWD/closed/below/authctl
exits 1 "${plain[@]}" authctl doctor
out "problem +this machine +The store cannot be used: '$PWD/closed' cannot be written to: Permission denied"
out "chmod -R u\\+rwX $PWD/closed"
exits 74 "${plain[@]}" authctl providers add github.com --client-id c
chmod 755 closed
authctl doctor >stdout 2>stderr || true
no_out 'cannot be written to'
