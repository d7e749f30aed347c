# A second factor of a Firebase project: the code of an authenticator app, after each kind of first factor.
. "$ROOT/Tests/ScriptTests/terminal.sh"
FIREBASE_FLAGS="--mails $PWD/mails"
[ "$DIRECTORY" = firebase ] || firebase

# enrolled FACTOR…: the factors of the current account, each JSON, as an administrator enrolls them.
enrolled() {
    local uid factors
    uid=$(authctl whoami --field account.uid 2>whoami.log)
    factors=$(IFS=,; echo "$*")
    curl -sSf -o enrolled -H 'Authorization: Bearer owner' -H 'Content-Type: application/json' \
        -d "{\"localId\":\"$uid\",\"mfa\":{\"enrollments\":[$factors]}}" \
        "http://$FIREBASE_AUTH_EMULATOR_HOST/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:update"
}

# app NAME KEY: an authenticator app with this key, as a factor.
app() { echo "{\"displayName\":\"$1\",\"mfaEnrollmentId\":\"id-of-$1\",\"totpInfo\":{\"sharedSecretKey\":\"$2\"}}"; }

# totp KEY: the current code of an authenticator app (RFC 6238).
totp() {
    python3 - "$1" <<'P'
import base64, hmac, struct, sys, time
mac = hmac.digest(base64.b32decode(sys.argv[1]), struct.pack(">Q", int(time.time()) // 30), "sha1")
print("%06d" % ((struct.unpack(">I", mac[mac[19] & 15:][:4])[0] & 0x7FFFFFFF) % 1000000))
P
}

mailed() { tail -n 1 mails | python3 -c 'import json, sys; print(json.load(sys.stdin)["oobLink"])'; }
finals() { requests mfaSignIn:finalize "http://$FIREBASE_AUTH_EMULATOR_HOST"; }

KEY=JBSWY3DPEHPK3PXP
OTHER=GEZDGNBVGY3TQOJQ
PASSWORD='correct horse battery'
signin="authctl signin --provider password --email ada@example.com --password-stdin"
works bash -c "$signin --create <<<'$PASSWORD'"
enrolled "$(app tablet $KEY)"

#: With a password, --totp-stdin reads the code from the next line of standard input; without a code the sign-in fails.
works authctl token
cp stdout first
exits 7 bash -c "$signin <<<'$PASSWORD'"
err 'a code from its authenticator app'
err 'hint: run it on a terminal, or pass the code on standard input with --totp-stdin$'
works authctl token
cmp -s stdout first || fail "another session"
exits 65 bash -c "printf '%s\n00000000\n' '$PASSWORD' | $signin --totp-stdin --json"
failed "e['code'] == 'invalid-verification-code'"
[ "$(finals)" = 1 ] || fail "a code of a pipe was sent again"
exits 64 bash -c "$signin --totp-stdin <<<'$PASSWORD'"
err 'standard input cannot be read: the line with the one-time code is missing'
works bash -c "printf '%s\n%s\n' '$PASSWORD' '$(totp $KEY)' | $signin --totp-stdin --json"
json "d['account']['email'] == 'ada@example.com' and d['isNewUser'] is False"
works authctl whoami --json
json "(lambda f: (f['sign_in_provider'], f['sign_in_second_factor'], f['second_factor_identifier']))(d['claims']['firebase']) == ('password', 'totp', 'id-of-tablet')"
works authctl token --force-refresh
works authctl whoami --json
json "d['claims']['firebase']['sign_in_second_factor'] == 'totp'"
exits 64 authctl signin --provider google.com --flow paste --totp-stdin

#: Refuses a malformed code before sending it; an email link stays valid if the code is missing.
for code in abcdef 12345 123456789 12345x; do
    exits 64 bash -c "printf '%s\n%s\n' '$PASSWORD' '$code' | $signin --totp-stdin"
    err 'the one-time code .* 6 to 8 digits'
    no_err "$code"
done
[ "$(finals)" = 0 ] || fail "a malformed code was sent"
works authctl signin --provider emailLink --email ada@example.com --begin
link=$(mailed)
for code in '' 12x; do
    exits 64 bash -c "printf '%s\n%s' '$link' '$code' | authctl signin --provider emailLink --email ada@example.com --code - --totp-stdin"
    err 'one-time code'
done
works bash -c "printf '%s\n%s\n' '$link' '$(totp $KEY)' | authctl signin --provider emailLink --email ada@example.com --code - --totp-stdin --json"
json "d['providerId'] == 'emailLink'"

#: Re-authentication requires the second factor.
older 301
exits 7 bash -c "authctl reauth --password-stdin <<<'$PASSWORD'"
works bash -c "printf '%s\n%s\n' '$PASSWORD' '$(totp $KEY)' | authctl reauth --password-stdin --totp-stdin --json"
json "d['operation'] == 'reauthenticate'"
works authctl accounts delete --yes

#: Signing in with a provider and linking it require the second factor.
emulator --as google.com --client-id client-1 --client-secret client-secret-1
exits 7 authctl link --provider google.com
works authctl accounts reload --json
json "[p['providerId'] for p in d['account']['providerData']] == ['password']"
works bash -c "authctl link --provider google.com --totp-stdin --json <<<'$(totp $KEY)'"
json "d['operation'] == 'link' and [p['providerId'] for p in d['account']['providerData']] == ['password', 'google.com']"
works authctl signout
exits 7 authctl signin --provider google.com
works bash -c "authctl signin --provider google.com --totp-stdin --json <<<'$(totp $KEY)'"
json "d['account']['email'] == 'ada@example.com' and d['providerId'] == 'google.com'"

#: Sign-ins with an email link or a custom token require the second factor.
works authctl signin --provider emailLink --email ada@example.com --begin
works bash -c "{ $(printf 'echo %q; echo %q' "$(mailed)" "$(totp $KEY)"); } | authctl signin --provider emailLink --email ada@example.com --code - --totp-stdin --json"
json "d['providerId'] == 'emailLink'"
echo '{"uid": "robot-1"}' >custom-token
works authctl signin --custom-token custom-token
enrolled "$(app tablet $KEY)"
exits 7 authctl signin --custom-token custom-token
works bash -c "authctl signin --custom-token custom-token --totp-stdin --json <<<'$(totp $KEY)'"
json "d['account']['uid'] == 'robot-1'"
works bash -c "{ cat custom-token; echo '$(totp $KEY)'; } | authctl signin --custom-token - --totp-stdin --json"
json "d['account']['uid'] == 'robot-1'"

#: Finds the authenticator app that a code belongs to; reports that SMS codes are not supported.
enrolled '{"displayName":"sim","phoneInfo":"+15551234"}' "$(app tablet $KEY)" "$(app laptop $OTHER)"
works bash -c "printf '%s\n%s\n' '$PASSWORD' '$(totp $OTHER)' | $signin --totp-stdin"
works authctl whoami --json
json "d['claims']['firebase']['second_factor_identifier'] == 'id-of-laptop'"
enrolled '{"displayName":"sim","phoneInfo":"+15551234"}'
exits 7 bash -c "printf '%s\n%s\n' '$PASSWORD' 000000 | $signin --totp-stdin"
err 'a code sent by SMS'

#: On a terminal, asks for the hidden code of the chosen app, again after a wrong code.
enrolled "$(app tablet $KEY)" "$(app laptop $OTHER)"
terminal 100 40 "authctl signin --provider password --email ada@example.com"
shows 'Password:'
types "$PASSWORD"
shows '2  laptop'
types 2
shows 'Code from laptop:'
types hello
shows 'it must have 6 to 8 digits'
shows_not hello
types 00000000
shows 'Wrong code'
types tablet
shows 'Code from tablet:'
code=$(totp $KEY)
types "$code"
shows "[Ss]igned in to password as ada@example.com"
shows 'ended with 0'
shows_not "$code"
