# Profiles get other names, and are removed.

#: A renamed profile keeps its settings, accounts, sessions, aliases and secrets.
emulator --client-secret client-secret-1
secret_file client-secret-1
export AUTHCTL_PROFILE=work
authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client --client-secret-stdin <secret
works authctl signin oidc.test
works authctl accounts name ada
works authctl accounts export --reauth --with-secrets
sed -i 's/^  work:/  # Of my employer.\n  "work": # since 2026/' "$HOME/.config/authctl/config.yaml"
unset AUTHCTL_PROFILE
works authctl profile use work
works authctl profile rename work acme --json
json "d == {'profile': 'acme', 'previousName': 'work'}"
grep -q '^  # Of my employer.$' "$HOME/.config/authctl/config.yaml"
grep -q '^  acme: # since 2026$' "$HOME/.config/authctl/config.yaml"
works authctl profile list
out "^ *\* +acme .*oidc.test"
no_out work
# The client secret and the refresh token can still be decrypted.
works authctl token --force-refresh --account ada
exits 4 authctl token --profile work
err "profile 'work' is empty; known profiles: acme, default"

#: A name that is in use is not taken, and one that cannot be a name is refused.
signed_in
works authctl profile use work --create
exits 64 authctl profile rename default work
err "the profile 'work' exists already"
exits 64 authctl profile rename work default
exits 64 authctl profile rename nobody somebody
err "profile not found: 'nobody'; known: default, work"
exits 64 authctl profile rename work ../work
works authctl whoami --profile default

#: A profile that has only a provider and its secret is in use too.
emulator --client-secret client-secret-1
secret_file client-secret-1
authctl providers add oidc.test --profile work --issuer "$ISSUER" --client-id emulator-client --client-secret-stdin <secret
exits 64 authctl profile rename default work
err "the profile 'work' exists already"
works authctl signin oidc.test --profile work

#: A profile that is only in the store is not merged with one that is only in the settings.
signed_in
sed -i 's/^  default:/  work:/' "$HOME/.config/authctl/config.yaml"
exits 64 authctl profile rename default work
err "the profile 'work' exists already"
exits 64 authctl profile rename work default
err "the profile 'default' exists already"
works authctl whoami --profile default

#: The default profile can be renamed, and stays the default.
signed_in
works authctl profile rename default private
err "is now 'private', and still the default"
works authctl token
works authctl profile rename private default
works authctl token
works authctl providers list --json --profile private
json "d['providers'] == []"

#: A rename that was interrupted between the settings and the store is completed by another.
signed_in
works authctl accounts name ada
# The process is killed when it has replaced the settings, and is about to commit the store by removing the journal.
code=0; strace -qq -f -o calls -e trace=unlink -e inject=unlink:signal=KILL:when=2 authctl profile rename default other || code=$?
[ $code = 137 ] && grep -q '^  other:' "$HOME/.config/authctl/config.yaml" || fail "exit $code"
exits 4 authctl token --profile other
works authctl profile rename default other
works authctl token --account ada

#: A profile without accounts and without a store is renamed and removed too.
works authctl profile use empty --create
works authctl profile rename empty void
works authctl profile list
out "^ *\* +void"
works authctl profile remove void --yes
err "the default profile is 'default' again"
works authctl profile list
no_out void
exits 64 authctl profile remove void --yes

#: Removing a profile asks first, and leaves nothing of it.
signed_in
works authctl profile use default
export AUTHCTL_PROFILE=work
works authctl providers add oidc.test --issuer "$ISSUER" --register
works authctl signin oidc.test
unset AUTHCTL_PROFILE
exits 64 authctl profile remove work
err 'cannot be undone: pass --yes to confirm'
err 'pass --yes to confirm'
works authctl whoami --profile work
works authctl profile remove work --yes --json
json "d == {'removed': 'work'}"
err 'was deleted at the provider'
works authctl profile list --json
json "[p['name'] for p in d['profiles']] == ['default']"
python3 - "$HOME/.config/authctl/authctl.db" <<'PY' || fail "a row of the profile is left"
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
tables = [name for name, in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
for table in tables:
    columns = [column[1] for column in store.execute(f"PRAGMA table_info({table})")]
    if "profile" in columns:
        assert not store.execute(f"SELECT 1 FROM {table} WHERE profile = 'work'").fetchall(), table
    if "home" in columns:
        homes = [home for home, in store.execute("SELECT id FROM home")]
        assert all(home in homes for home, in store.execute(f"SELECT home FROM {table}")), table
PY
works authctl token

#: An empty profile name or configuration directory, as from a variable that is not set, is invalid usage.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.test
for words in 'profile remove|--yes' 'profile rename|z' 'profile use|' 'signout --all --profile|' 'token --profile|' \
    'signout --all --config-dir|' 'token --config-dir|'; do
    # shellcheck disable=SC2086
    exits 64 authctl ${words%|*} '' ${words#*|}
    err 'error: .*(a profile name has 1 to 64 letters|--config-dir requires a directory)'
done
works authctl whoami

#: signout --all cannot be limited to an account.
exits 64 authctl signout --all --account ada@example.com
err '[-]-all cannot be used with --account'
