# The system configuration gives providers to every user, in a directory of root, with a lower precedence than the user's file. These
# stories run as root, who can make one.
organization=$AUTHCTL_SYSTEM_CONFIG_DIR
mkdir -p "$organization/conf.d"
chmod 755 "$organization" "$organization/conf.d"
# gives FILE: writes one of its files from standard input.
gives() { cat >"$organization/$1"; chmod 644 "$organization/$1"; }
if [ "$(id -u)" != 0 ]; then echo "not root: nothing to show"; exit 0; fi

#: With a provider in the system configuration, the first sign-in is one command.
emulator
gives conf.d/10-work.yaml <<Y
# By the IT department.
providers:
  oidc.work:
    issuer: $ISSUER
    client_id: emulator-client
Y
works authctl signin
err "[Ss]igned in to work"
works authctl token
works authctl token --force-refresh
works authctl providers list
out "^oidc.work +$ISSUER +emulator-client +from $organization/conf.d/10-work.yaml$"
works authctl providers show oidc.work
out "^from +$organization/conf.d/10-work.yaml$"
out 'redirect URI +http://127.0.0.1:PORT/callback/oidc.work, any port'
works authctl providers show oidc.work --json
json "d['from'] == '$organization/conf.d/10-work.yaml'"
works authctl status --long
out "^work is configured for all users by '$organization/conf.d/10-work.yaml'"
works authctl status --json
json "d['accounts'][0]['sessions'][0]['from'] == '$organization/conf.d/10-work.yaml'"
works authctl doctor --long
out "^ok +organization +1 provider for all users, in '$organization/conf.d/10-work.yaml'"
# It is available in every profile, and nothing is written.
works authctl signin --profile other
[ ! -e "$HOME/.config/authctl/config.yaml" ] || fail "$(cat "$HOME/.config/authctl/config.yaml")"
# The environment takes precedence.
AUTHCTL_OIDC_WORK_CLIENT_ID=another works authctl providers list
out '^oidc.work +[^ ]+ +another '

#: A user's own provider overrides the system configuration, which applies again after it is removed.
emulator
gives config.yaml <<Y
providers: {oidc.work: {issuer: $ISSUER, client_id: emulator-client, scopes: [openid, email]}, oidc.b: {issuer: $ISSUER, client_id: b}}
Y
works authctl providers add oidc.work --issuer "$ISSUER" --client-id mine
err "it overrides the system configuration in '$organization/config.yaml' line 1"
works authctl providers show oidc.work
out "^from +$HOME/.config/authctl/config.yaml, instead of $organization/config.yaml$"
out '^scopes +openid profile email'
works authctl providers list --json
json "[(p['providerId'], p['clientId'], p['from'], p['insteadOf']) for p in d['providers']] == [('oidc.work', 'mine', '$HOME/.config/authctl/config.yaml', '$organization/config.yaml'), ('oidc.b', 'b', '$organization/config.yaml', None)]"
works authctl providers remove oidc.work
err "the system configuration applies again: '$organization/config.yaml' line 1"
works authctl signin --provider oidc.work
exits 78 authctl providers remove oidc.work
err "'oidc.work' is part of the system configuration, in '$organization/config.yaml' line 1: only root can remove it"
err 'hint: .* authctl providers set oidc.work --help$'

#: Changing a provider of the system configuration copies it to the user's file; a client secret is stored separately.
emulator --client-secret a-client-secret
gives config.yaml <<Y
providers:
  oidc.work: {issuer: $ISSUER, client_id: emulator-client, later: [kept], scopes: [openid, email]}
Y
works bash -c 'echo a-client-secret | authctl providers set oidc.work --client-secret-stdin'
no_err 'it now overrides the system configuration'
[ ! -e "$HOME/.config/authctl/config.yaml" ] || fail "$(cat "$HOME/.config/authctl/config.yaml")"
works authctl signin
works authctl providers set oidc.work --scope profile
err "it now overrides the system configuration in '$organization/config.yaml'; to undo that: authctl providers remove oidc.work"
diff - "$HOME/.config/authctl/config.yaml" <<Y || fail "another entry"
profiles:
  default:
    providers:
      oidc.work:
        issuer: $ISSUER
        client_id: emulator-client
        later: [kept]
        scopes: [openid, email, profile]
        redirect_path: /callback/oidc.work
Y
works authctl signin
cmp "$organization/config.yaml" <(printf 'providers:\n  oidc.work: {issuer: %s, client_id: emulator-client, later: [kept], scopes: [openid, email]}\n' "$ISSUER") || fail "root's file was changed"

#: Reports an unusable file with its line, and keeps the user's own providers working.
emulator
gives conf.d/10.yaml <<Y
providers:
  oidc.work:
    isuer: $ISSUER
    client_id: c
  oidc.fine: {issuer: $ISSUER, client_id: emulator-client}
Y
exits 78 authctl signin --provider oidc.work
err "'$organization/conf.d/10.yaml' line 2: oidc.work: 'issuer' is required; line 3: unknown key 'isuer', did you mean 'issuer'"
works authctl signin --provider oidc.fine
err "authctl: system configuration ignored: '$organization/conf.d/10.yaml' line 2"
gives conf.d/10.yaml <<Y
providers:
  github.com:
    client_id: c
    client_secret: hunter2
Y
exits 78 authctl signin
err "'$organization/conf.d/10.yaml' line 4: 'client_secret' is a secret, but every user can read this file"
no_err hunter2
works authctl providers show github.com
works authctl profile set --one-account-per-email off
works authctl providers add oidc.mine --issuer "$ISSUER" --client-id emulator-client
works authctl signin
exits 1 authctl doctor --long
out "^WRONG +organization +'$organization/conf.d/10.yaml' line 4"
# Ignores a system configuration that other users could have written.
gives conf.d/10.yaml <<Y
providers: {oidc.evil: {issuer: "https://evil.example", client_id: c}}
Y
chmod 666 "$organization/conf.d/10.yaml"
exits 78 authctl signin --provider oidc.evil
err "users other than root can write it, mode 0666"
err "hint: sudo chmod go-w $organization/conf.d/10.yaml"
chmod 644 "$organization/conf.d/10.yaml"
chown 65534 "$organization/conf.d"
exits 78 authctl signin --provider oidc.evil
err "'$organization/conf.d': it belongs to user 65534"
chown 0 "$organization/conf.d"
works authctl providers show oidc.evil

#: Exports a user's provider as a system configuration, without secrets.
emulator
secret_file a-client-secret
works authctl providers add oidc.work --issuer "$ISSUER" --client-id emulator-client --scope openid --param ui_locales=de --trust-email --client-secret-file "$PWD/secret"
works authctl providers export oidc.work
err 'omitted, because it is specific to this machine: client_secret_file'
diff - stdout <<Y || fail "another file"
providers:
  oidc.work:
    issuer: $ISSUER
    client_id: emulator-client
    scopes: [openid]
    params:
      ui_locales: de
    redirect_path: /callback/oidc.work
    trust_email: true
Y
cp stdout "$organization/conf.d/work.yaml"
chmod 644 "$organization/conf.d/work.yaml"
works authctl providers remove oidc.work
works authctl signin
works authctl providers export oidc.work --json
cp stdout "$organization/conf.d/work.yaml"
works authctl signin
exits 78 authctl providers export oidc.nothing

#: A profile with a Firebase project does not use the providers of the system configuration.
gives config.yaml <<Y
providers: {github.com: {client_id: c}}
Y
works authctl profile set --directory firebase --api-key k --project-id p --profile shared
works authctl providers list --profile shared --json
json "d['providers'] == []"
works authctl providers list --json
json "[p['providerId'] for p in d['providers']] == ['github.com']"
