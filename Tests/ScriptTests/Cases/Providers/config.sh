# Users edit config.yaml: a command changes only the settings that it was called for.

# settled: checks that config.yaml is the text on standard input, byte for byte.
config=$HOME/.config/authctl/config.yaml
write() { mkdir -p "$HOME/.config/authctl"; chmod 700 "$HOME/.config/authctl"; cat >"$config"; chmod 600 "$config"; }
settled() { cat >expected; diff expected "$config" || fail "config.yaml is not what it should be"; }

#: Commands that change config.yaml keep its comments, order, quotes and unknown settings.
emulator
write <<Y
# Ask Ada before changing anything. Größe: klein.
future: [1, 2]   # of a version to come
profiles:
    default:
        providers:

            # The house's own provider.
            "oidc.work":
                client_id: 'emulator-client'   # given by IT
                issuer: "$ISSUER"
                redirect_path: /callback/oidc.work
                scopes:
                    - openid
                    - email      # for the commits
            github.com: {client_id: Iv1.abc, scopes: [repo]}  # mine
        # Ada has two.
        one_account_per_email: no
# The end.
Y
works authctl providers set oidc.work --scope profile --param ui_locales=de
works authctl providers add google.com --client-id 123456-abc.apps.googleusercontent.com
works authctl providers set github.com --unset scope --api-host uploads.example.com
works authctl profile set --one-account-per-email on
settled <<Y
# Ask Ada before changing anything. Größe: klein.
future: [1, 2]   # of a version to come
profiles:
    default:
        providers:

            # The house's own provider.
            "oidc.work":
                client_id: 'emulator-client'   # given by IT
                issuer: "$ISSUER"
                redirect_path: /callback/oidc.work
                scopes:
                    - openid
                    - email      # for the commits
                    - profile
                params:
                    ui_locales: de
            github.com: {client_id: Iv1.abc, api_hosts: [uploads.example.com]}  # mine
            google.com:
                client_id: 123456-abc.apps.googleusercontent.com
                redirect_path: /callback/google.com
        # Ada has two.
        one_account_per_email: true
# The end.
Y
works authctl providers remove github.com
works authctl providers remove google.com
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client --replace
works authctl profile set --directory firebase --api-key key --project-id 4711 --profile 'on'
settled <<Y
# Ask Ada before changing anything. Größe: klein.
future: [1, 2]   # of a version to come
profiles:
    default:
        providers:

            # The house's own provider.
            "oidc.work":
                client_id: 'emulator-client'   # given by IT
                issuer: "$ISSUER"
                redirect_path: /callback/oidc.work
        # Ada has two.
        one_account_per_email: true
    'on':
        directory: firebase
        firebase:
            api_key: key
            project_id: '4711'
# The end.
Y
works authctl signin --provider oidc.work

#: A config.yaml of version 0.1.0 can be read, and changes keep its format.
emulator
write <<Y
profiles:
  default:
    providers:
      oidc.old:
        issuer: $ISSUER
        client_id: emulator-client
        scopes: [openid, email]
        trust_email: true
      github.com:
        client_id: 12345
    one_account_per_email: false
Y
works authctl providers list
out '^github.com +https://github.com +12345$'
works authctl signin --provider oidc.old
works authctl providers set oidc.old --scope profile
works authctl providers remove github.com
works authctl profile set --one-account-per-email on
settled <<Y
profiles:
  default:
    providers:
      oidc.old:
        issuer: $ISSUER
        client_id: emulator-client
        scopes: [openid, email, profile]
        trust_email: true
    one_account_per_email: true
Y

#: Reports an invalid file with line and column, and does not overwrite it.
write <<Y
profiles:
  default:
    providers: {github.com: {client_id: c}}
    providers: {}
Y
cp "$config" before
exits 78 authctl providers list
err "config.yaml' cannot be read: line 4, column 5: 'providers' is a duplicate key"
exits 78 authctl profile set --one-account-per-email on
cmp before "$config"
write <<Y
profiles:
  default: {providers: {github.com: &mine {client_id: c}}}
  work: {providers: {github.com: *mine}}
Y
cp "$config" before
exits 78 authctl providers remove github.com
err "config.yaml' cannot be changed: line 2, column 13: this setting cannot be changed automatically"
err 'hint: edit it by hand$'
cmp before "$config"
works authctl providers remove github.com --profile work
settled <<Y
profiles:
  default: {providers: {github.com: &mine {client_id: c}}}
  work: {providers: {}}
Y

#: A provider that is configured only by environment variables can be listed, checked and used.
emulator
export AUTHCTL_OIDC_MY_WORK_ISSUER=$ISSUER AUTHCTL_OIDC_MY_WORK_CLIENT_ID=emulator-client AUTHCTL_OIDC_HALF_CLIENT_ID=c
works authctl providers list
out '^oidc.my-work +http://127.0.0.1:[0-9]+ +emulator-client +from environment$'
no_out half
works authctl providers check
out '^ok +oidc.my-work'
exits 78 authctl providers set my-work --scope a
err "'oidc.my-work' is configured by variables, such as AUTHCTL_OIDC_MY_WORK_CLIENT_ID"
err 'hint: for the client secret: set AUTHCTL_OIDC_MY_WORK_CLIENT_SECRET$'
works authctl signin
err "[Ss]igned in to my-work"
works authctl providers show oidc.my-work
works authctl doctor --long
out "profile 'default': oidc.my-work"
export AUTHCTL_GITHUB_COM_CLIENT_ID=c
works authctl providers list
out '^github.com '
exits 64 authctl signin --no-input
err 'several providers are configured: choose one with --provider \(github.com, oidc.my-work\)'
err 'hint: add --provider github.com$'
# A configuration with another spelling of the ID is the same provider.
unset AUTHCTL_GITHUB_COM_CLIENT_ID
works authctl providers add oidc.My.Work --issuer "$ISSUER" --client-id c
works authctl providers list --json
json "[(p['providerId'], p['clientId']) for p in d['providers']] == [('oidc.My.Work', 'emulator-client')]"

#: The hint after a rejected client names the variable if variables configure the provider.
emulator --client-secret client-secret-1
export AUTHCTL_OIDC_MY_WORK_ISSUER=$ISSUER AUTHCTL_OIDC_MY_WORK_CLIENT_ID=emulator-client
AUTHCTL_OIDC_MY_WORK_CLIENT_SECRET=wrong exits 78 authctl signin my-work
err 'hint: if the client ID is right, enter the secret again: set AUTHCTL_OIDC_MY_WORK_CLIENT_SECRET$'
AUTHCTL_OIDC_MY_WORK_CLIENT_SECRET=client-secret-1 works authctl signin my-work
unset AUTHCTL_OIDC_MY_WORK_ISSUER
exits 78 authctl signin my-work
err "'oidc.my-work' is configured by variables, but AUTHCTL_OIDC_MY_WORK_ISSUER is not set"
err 'hint: set AUTHCTL_OIDC_MY_WORK_ISSUER$'

#: Reports a misspelled key with its line and the closest key; fails only if the command uses that provider.
write <<Y
profiles:
  default:
    providers:
      oidc.w:
        isuer: https://id.example.com
        client_id: c
      github.com: {client_id: c, scops: [repo], colour: blue}
Y
exits 78 authctl providers show oidc.w
err "oidc.w: 'issuer' is required; line 5: unknown key 'isuer', did you mean 'issuer'"
works authctl providers show github.com
err "config.yaml line 7: unknown key 'scops', did you mean 'scopes'"
err "config.yaml line 7: unknown key 'colour' is ignored"
write <<Y
profile: {}
profiles: {default: {directory: firebase, firebase: {api_key: k, project_id: p,
  redirect_url: "http://localhost/"}}}
Y
works authctl providers list
err "config.yaml line 3: unknown key 'redirect_url', did you mean 'redirect_uri'"
err "config.yaml line 1: unknown key 'profile' is ignored"
sed -i '2,$d' "$config"
works authctl providers list
err "config.yaml line 1: unknown key 'profile', did you mean 'profiles'"
works authctl doctor
out "^note +this machine +Config.yaml line 1: unknown key 'profile', did you mean 'profiles'[?]"
exits 78 authctl signin github.com
err "config.yaml line 1: unknown key 'profile', did you mean 'profiles'"
write <<Y
profiles: {default: {providers: {oidc.w: {issuer: 'https://127.0.0.1:1', client_id: c, client_secret: s}}}}
Y
works authctl providers list
err "line 1: unknown key 'client_secret' is ignored; to store a secret: providers set --client-secret-stdin"
no_err '\bs\b:'
exits 1 authctl doctor --long
out "unknown key 'client_secret' is ignored"

#: An invalid setting of a profile is reported with the file, which the user must edit.
for line in 'directory: foo' 'directory: firebase' 'one_account_per_email: maybe'; do
    write <<<"profiles: {default: {$line}}"
    exits 78 bash -c "authctl signin --provider password --email ada@example.com --create --password-stdin <<<'correct horse battery'"
    err "'.*/config.yaml': profile 'default': ${line%:*}|firebase: 'api_key'"
done

#: An invalid setting of a provider is reported with the file, by each command that needs it.
mkdir -p "$HOME/.config/authctl" && chmod 700 "$HOME/.config/authctl"
echo '{profiles: {default: {providers: {github.com: {client_id: [a, b]}}}}}' >"$HOME/.config/authctl/config.yaml"
for command in 'providers show github.com' 'providers check github.com' 'providers set github.com --client-id c' 'signin github.com'; do
    exits 78 authctl $command
    err "'$HOME/.config/authctl/config.yaml': github.com: client_id: it is not a string "
done

#: A configuration directory that is a file is reported as one, and stays.
echo text >file
exits 74 authctl token --config-dir "$PWD/file"
err "'$PWD/file' is a link or not a directory"
err 'hint: set AUTHCTL_CONFIG_DIR to a directory that you own$'
exits 74 env AUTHCTL_CONFIG_DIR="$PWD/file" authctl status
grep -qx text file

#: Providers can be called by their short names.
works authctl providers add github --client-id c
works authctl providers add x --client-id c
works authctl providers list
out '^github.com '
out '^twitter.com '
exits 78 authctl signin --provider google
err "'google.com' is not configured"
works authctl providers show apple --field providerId
[ "$(cat stdout)" = apple.com ] || fail "another"

#: A unique prefix selects a configured provider, except in CI; an ID never selects another provider.
emulator
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider work
works authctl token --provider wo
# CI requires the full name, because another provider with this prefix can be added later.
exits 64 env CI=1 authctl token --provider wo
err "'wo' is not the provider's full name, which non-interactive runs require .usage"
err "hint: use 'oidc.work'"
works env CI=1 authctl token --provider work
for name in wo oi o work; do works authctl request "$ISSUER/userinfo" --provider $name; works authctl status --provider $name; done
works authctl exec --provider work -- true
works authctl providers show wo --field providerId
[ "$(cat stdout)" = oidc.work ] || fail "another"
works authctl providers set wo --api-host 127.0.0.1
err "changed provider 'oidc.work'"
works authctl providers check wo
works authctl providers export wo
works authctl credential kubectl --provider wo
works authctl credential netrc 127.0.0.1 --provider wo
works authctl reauth --provider wo
exits 7 authctl unlink --provider wo
err 'is the only sign-in method of this account'
exits 4 authctl token --provider oidc.wo
works authctl providers add oidc.world --issuer "$ISSUER" --client-id emulator-client
works authctl token --provider work
exits 64 authctl token --provider wor
err "'wor' could be oidc.work or oidc.world"
exits 4 authctl token --provider x
exits 4 authctl token --provider password

#: Durations accept units: 90, 90s, 5m, 1h.
for time in 90 90s 5m 1h; do exits 4 authctl token --timeout $time --min-ttl $time; done
for time in 0 0s 2d x 5min 1.5h -5m ''; do exits 64 authctl token --timeout="$time"; done

#: In a Firebase project, shows the project as the client of each provider, with the project's redirect URI.
works authctl profile set --directory firebase --api-key k --project-id p
works authctl providers list
err "users sign in through the Firebase project 'p', with its providers"
works authctl providers show github.com
out "^client ID +that of the Firebase project 'p'$"
out '^redirect URI +http://localhost:8400/callback$'
works authctl profile set --redirect-uri http://localhost:8123/back
works authctl providers show github.com --json
json "d['redirectUri'] == 'http://localhost:8123/back' and d['clientId'] is None"
works authctl providers show github.com --profile other
out '^client ID +not configured$'

#: If the client secret cannot be stored or removed, neither config.yaml nor the store changes.
emulator
d=$HOME/.config/authctl
add() { bash -c 'echo "$0" | authctl providers add oidc.test --client-id emulator-client --client-secret-stdin "$@"' "$1" --issuer "$ISSUER" "${@:2}"; }
change() { bash -c 'echo "$0" | authctl providers set oidc.test --scope email --client-secret-stdin' "$1"; }
works add secret-1
cp -a "$d" saved
# The client secrets of a store, or all bytes of a store that cannot be read. Cached documents may change.
stored() { sqlite "SELECT hex(secret) FROM provider_secret" 2>/dev/null || basenc --base16 "$d/authctl.db"; }
sqlite() { python3 -c "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall())" "$d/authctl.db" "$1"; }
# unchanged CODE COMMAND…: the command fails with this exit code, and nothing has changed.
unchanged() {
    stored >store-before; cp "$config" config-before
    exits "$@"
    cmp store-before <(stored) && cmp config-before "$config" || fail "changed by: $*"
}
commands() {
    unchanged 74 authctl providers remove oidc.test
    unchanged 74 add secret-2 --replace
    unchanged 74 change secret-3
    unchanged 74 authctl providers set oidc.test --unset client-secret
    rm -rf "$d"; cp -a saved "$d"
}
newer() { python3 -c "import sqlite3; sqlite3.connect('$d/authctl.db').execute('PRAGMA user_version = 99')"; }
newer
commands
head -c 5000 /dev/urandom >"$d/authctl.db"
commands
# A directory has the temporary name of config.yaml.
mkdir -p "$d/.config.yaml.tmp/x"
commands
newer
unchanged 74 authctl profile set --one-account-per-email off --vault file
cp saved/authctl.db "$d/authctl.db"
works authctl providers remove oidc.test
! grep -q oidc.test "$config" || fail "the entry is still there"

#: Completes the removal of a provider that was killed before the client secret was removed.
emulator
d=$HOME/.config/authctl
works bash -c 'echo secret-1 | authctl providers add oidc.test --client-id emulator-client --client-secret-stdin --issuer "$0"' "$ISSUER"
cp "$d/authctl.db" before
works authctl providers remove oidc.test
cp before "$d/authctl.db"
works authctl providers remove oidc.test
err "'oidc.test' was removed"
exits 78 authctl providers remove oidc.test
python3 -c "
import sqlite3
assert sqlite3.connect('$d/authctl.db').execute('SELECT count(*) FROM provider_secret').fetchall() == [(0,)]"

#: An invalid name of the chosen profile is reported with its place, and doctor reports it too.
works authctl profile use work --create
echo 'a b' >"$HOME/.config/authctl/profile"
exits 78 authctl status
err "'.*/profile' contains 'a b', which is not the name of a profile"
exits 1 authctl doctor --long
out "WRONG +directory +'.*/profile' contains 'a b'"
rm "$HOME/.config/authctl/profile"
works authctl profile list
AUTHCTL_PROFILE='x y' exits 78 authctl status
err "AUTHCTL_PROFILE is 'x y'"
err 'hint: unset AUTHCTL_PROFILE$'
chmod 777 "$HOME/.config/authctl"
exits 1 authctl doctor --long
out 'WRONG +directory'

#: doctor names a session whose provider is not configured any more.
signed_in
works authctl doctor --long
out '^ok +sessions +1'
rm "$HOME/.config/authctl/config.yaml"
works authctl doctor --long
out "^note +session +'oidc.test' is not configured, so its session cannot be renewed"
exits 4 faketime -f +2h authctl status
out '^test/ada@example.com +expired'

#: A file in which only comments are left is empty.
works authctl profile list
mkdir -p "$HOME/.config/authctl"
for start in '---' '# all settings' 'null' '---
# a comment'; do
    printf '%s\n# providers:\n' "$start" >"$HOME/.config/authctl/config.yaml"
    works authctl providers list
    works authctl profile set --one-account-per-email off
    works authctl profile list
    out 'one account per email: off'
    [ "$start" = null ] || [ "$(head -n "$(wc -l <<<"$start")" "$HOME/.config/authctl/config.yaml")" = "$start" ] || fail "the beginning is lost"
    grep -qx '# providers:' "$HOME/.config/authctl/config.yaml" || fail "the comment is lost"
done

#: token parses config.yaml only if it has changed since the last token.
signed_in
works authctl token
# reads: how often a command opens config.yaml. The first time is to compare it.
reads() { works strace -f -qq -e trace=openat -o calls "$@"; grep -c config.yaml calls; }
[ "$(reads authctl token)" = 1 ] || fail "parsed again"
works authctl providers set oidc.test --scope openid
[ "$(reads authctl token)" -gt 1 ] || fail "not parsed"
[ "$(reads authctl token)" = 1 ] || fail "parsed again"
