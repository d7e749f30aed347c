# Accounts of a Firebase project: custom tokens, names and photos, changes made elsewhere, and the hosts of the project's token.
[ "$DIRECTORY" = firebase ] || firebase

# administrator JSON: changes an account as the console does.
administrator() {
    curl -sSf -o /dev/null -H 'Authorization: Bearer owner' -H 'Content-Type: application/json' -d "$1" \
        "http://$FIREBASE_AUTH_EMULATOR_HOST/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:update"
}

# minted UID [CLAIMS] [PROJECT]: a custom token as a project's server makes them, in the file custom-token.
minted() {
    python3 - "$@" >custom-token <<'P'
import base64, json, sys
part = lambda o: base64.urlsafe_b64encode(json.dumps(o).encode()).rstrip(b"=").decode()
uid, claims, project = (sys.argv[1:] + ["{}", "demo-project"][len(sys.argv) - 2:])[:3]
subject = f"firebase-adminsdk@{project}.iam.gserviceaccount.com"
token = {"uid": uid, "claims": json.loads(claims), "iss": subject, "sub": subject}
print(part({"alg": "RS256"}) + "." + part(token) + ".c2lnbmF0dXJl")
P
}

# says NAME JSON: a claim of the ID token in the file stdout.
says() {
    python3 - "$@" <<'P'
import base64, json, sys
claims = json.loads(base64.urlsafe_b64decode(open("stdout").read().split(".")[1] + "=="))
assert claims.get(sys.argv[1]) == json.loads(sys.argv[2]), claims
P
}

#: Signs in and re-authenticates with a custom token from a file or standard input.
minted robot-1 '{"role": "builder"}'
works authctl signin --custom-token custom-token --json
json "d['isNewUser'] and d['providerId'] == 'custom' and d['account']['uid'] == 'robot-1' and d['operation'] == 'signIn'"
works authctl token
says role '"builder"'
works authctl whoami --json
json "d['claims']['role'] == 'builder' and d['projectId'] == 'demo-project' and d['account']['uid'] == 'robot-1'"
works bash -c 'authctl signin --custom-token - --json <custom-token'
json "d['isNewUser'] is False"
works authctl token --force-refresh
works authctl status --long
out '^    signed in  .*by custom'
older 301
exits 5 authctl accounts delete --yes
works authctl reauth --custom-token custom-token
minted robot-2
exits 6 authctl reauth --custom-token custom-token
err 'user-mismatch'
works authctl accounts delete --yes
exits 64 authctl signin --custom-token custom-token --provider google.com
exits 64 authctl reauth --custom-token custom-token --provider google.com
exits 64 authctl reauth --custom-token custom-token --password-stdin

#: After a custom-token sign-in, a command that requires re-authentication prints 'reauth --custom-token' as a hint.
minted robot-1
works authctl signin --custom-token custom-token
older 301
for command in reauth "reauth --provider custom" "accounts delete --yes --reauth"; do
    exits 5 authctl $command
    err 'custom token'
    err 'hint: authctl reauth --custom-token -$'
done
works bash -c 'authctl reauth --custom-token - <custom-token'
works authctl accounts delete --yes --reauth

#: A project's uid cannot be abbreviated, and is ambiguous if it is also the alias of another account.
minted robot-10
works authctl signin --custom-token custom-token
exits 64 authctl token --account robot-1
exits 64 authctl accounts delete robot-1 --here --yes
works authctl token --account robot-10
works authctl accounts name build
minted build
works authctl signin --custom-token custom-token
exits 64 authctl token --account build
err "'build' could be build or robot-10 .build."
works authctl token --account robot-10

#: profile set --api-host adds hosts for the project's token, and an empty value removes all of them.
works authctl profile set --api-host a.example.com
works authctl profile set --api-host b.example.com --api-host a.example.com
grep -q 'a.example.com' "$HOME/.config/authctl/config.yaml" && grep -q 'b.example.com' "$HOME/.config/authctl/config.yaml" || fail "one went"
works authctl profile set --api-host ''
! grep -q 'example.com' "$HOME/.config/authctl/config.yaml" || fail "they are there"

#: An empty value removes a setting of the project; refuses values that are not valid in a header.
config=$HOME/.config/authctl/config.yaml
set_all() {
    works authctl profile set --auth-domain a.example.com --locale de --bundle-id com.example --tenant-id t-1 \
        --referer https://a.example.com/ --android-package com.example --android-cert "$(printf 'A1%.0s' $(seq 20))" \
        --redirect-uri http://localhost:8401/callback --emulator-host build-host
}
options="auth-domain locale bundle-id tenant-id referer android-package android-cert redirect-uri emulator-host"
for option in $options; do
    set_all
    cp "$config" before
    works authctl profile set "--$option" ''
    [ "$(diff before "$config" | grep -c '^[<>]')" = 1 ] || fail "$option: $(diff before "$config")"
done
works authctl profile set --directory firebase --api-key test-key --project-id demo-project --tenant-id '' --locale ''
! grep -qE 'tenant_id|locale' "$config" || fail "an empty setting was written"
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
cp "$config" before
for option in locale bundle-id tenant-id auth-domain api-key project-id; do
    for value in $'a\nb' $'a\033b' 'a b' é; do
        exits 64 authctl profile set "--$option" "$value"
        err -- "--$option (accepts visible ASCII characters only|must be)"
    done
done
exits 64 authctl profile set --auth-domain https://x.firebaseapp.com
err -- '--auth-domain must be a domain, without a scheme'
exits 64 authctl profile set --locale '??'
err -- '--locale must be a language tag such as de'
exits 64 authctl profile set --tenant-id a/b
err -- '--tenant-id must be the ID of a tenant'
echo '{}' >other.json
exits 64 authctl profile import other.json
err "^authctl: error: profile not changed: 'other.json' does not contain both an API key and a project ID"
exits 64 authctl profile set --api-key ''
exits 64 authctl profile set --project-id ''
cmp -s before "$config" || fail "it was written"
# The file as version 0.2.0 wrote it.
printf '%s\n' 'profiles:' '  default:' '    directory: firebase' '    firebase:' '      api_key: test-key' \
    '      project_id: demo-project' "      tenant_id: ''" >"$config"
works authctl token --force-refresh
AUTHCTL_FIREBASE_APP_CHECK_TOKEN=$'a\nb' exits 78 authctl token --force-refresh
err 'AUTHCTL_FIREBASE_APP_CHECK_TOKEN has a line break'

#: Changes a project's API key or ID and leaves the other settings unchanged.
works authctl profile set --locale de --tenant-id t-1
err "the Firebase project 'demo-project', tenant-id t-1, locale de"
works authctl profile set --project-id other-project --tenant-id ''
works authctl profile set --api-key other-key --json
json "d['projectId'] == 'other-project'"
grep -q 'api_key: other-key' "$HOME/.config/authctl/config.yaml" || fail "the key was not changed"
grep -q 'locale: de' "$HOME/.config/authctl/config.yaml" || fail "the language is lost"
exits 64 authctl profile set --project-id other-project --profile at-home
err 'require --directory firebase'

#: Refuses an invalid custom token, one of another project and one without a project, each with its own error.
echo not-a-token >custom-token
exits 65 authctl signin --custom-token custom-token --json
failed "e['code'] == 'invalid-custom-token'"
no_err 'not-a-token'
minted robot-1 '{}' other-project
exits 65 authctl signin --custom-token custom-token --json
failed "e['code'] == 'custom-token-mismatch'"
exits 7 authctl signin --custom-token custom-token --profile at-home
err 'this requires a Firebase project'
minted robot-1
works authctl signin --custom-token custom-token
session_set tokens.refreshToken NULL
session_set tokens.idTokenExpiresAt 1
exits 4 authctl token
err 'hint: authctl signin --custom-token -$'

#: Sets and clears an account's name and photo, in a project and in the local directory.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
for profile in default home; do
    export AUTHCTL_PROFILE=$profile
    [ "$profile" = default ] || works bash -c 'authctl signin --provider password --email grace@example.com --password-stdin --create <<<"correct horse battery"'
    works authctl accounts set-name "Ada L" --json
    json "d['account']['displayName'] == 'Ada L'"
    works authctl accounts set-photo https://example.com/ada.png
    works authctl whoami --json
    json "d['account']['displayName'] == 'Ada L' and d['account']['photoURL'] == 'https://example.com/ada.png'"
    works authctl accounts set-name --clear
    works authctl accounts set-photo --clear --json
    json "d['account']['displayName'] is None and d['account']['photoURL'] is None"
    exits 64 authctl accounts set-name
    exits 64 authctl accounts set-name x --clear
    exits 64 authctl accounts set-photo nowhere
    works authctl accounts reload
done

#: A reload and the next token show changes made elsewhere.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create --json <<<"correct horse battery"'
uid=$(field "d['account']['uid']")
administrator "{\"localId\":\"$uid\",\"emailVerified\":true,\"displayName\":\"Ada\",\"customAttributes\":\"{\\\"admin\\\":true}\"}"
works authctl whoami --json
json "d['account']['emailVerified'] is False"
works authctl accounts reload --json
json "d['account']['emailVerified'] and d['account']['displayName'] == 'Ada'"
works authctl whoami --json
json "d['account']['emailVerified'] and d['claims']['admin'] is True and d['claims']['email_verified']"
works authctl token
says admin true

#: Sends the project's token only to the hosts that the profile lists.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
emulator
exits 7 authctl request "$ISSUER/.well-known/openid-configuration"
err "hint: it is sent only to hosts that the profile names: --api-host; "
works authctl profile set --api-host "$ISSUER" --api-host api.example.com
works authctl request "$ISSUER/.well-known/openid-configuration"
out '"issuer"'
exits 7 authctl request https://elsewhere.example.com/
provider github.com --user grace@example.com
works authctl providers remove github.com
works authctl signin --provider github.com
exits 7 authctl request https://elsewhere.example.com/ --provider github.com
err "'github.com' has no configuration that could allow it"
err 'hint: authctl setup github.com$'
exits 64 authctl request "$ISSUER/" -H 'Authorization: Bearer x'
exits 64 authctl profile set --api-host 'https://user@host/'

#: Without a project, verify requires --issuer and --audience, or --jwks with --signature-only.
works bash -c 'authctl signin --provider password --email ada@example.com --password-stdin --create <<<"correct horse battery"'
works authctl token
cp stdout unsigned
exits 64 authctl verify unsigned --profile at-home
err '--issuer and --audience are required, or --jwks with --signature-only'
exits 64 authctl verify unsigned --audience demo-project
err '--audience requires --issuer'
for given in --issuer=https://id.example.com --jwks=keys.json; do
    exits 64 authctl verify unsigned --profile at-home "$given"
    err '--issuer and --audience are required unless --signature-only is given'
done
