# Tokens that a provider did not revoke are stored, encrypted, and revoked later; a sign-out can name one provider.

#: A failed revocation can be retried until the provider confirms it.
port=$(free_port)
signed_in --port "$port" --fault revoke-503
works authctl token --type access
token=$(cat stdout)
exits 69 authctl signout --revoke --json
json "[(e['providerId'], e['revoked'], e['keptUntil'][:2]) for e in d['signedOut']] == [('oidc.test', 'failed', '20')]"
failed "'signout --retry' in e['hint']"
exits 4 authctl token
# The output is the same without a session.
exits 4 authctl status
err '^authctl: revoke again: authctl signout --retry$'
exits 4 authctl status --json
json "[(u['providerId'], sorted(u)) for u in d['unrevoked']] == [('oidc.test', ['failedAt', 'keptUntil', 'providerId', 'uid'])] and not d['accounts'] and d['accountsWithoutSession'] == 1"
! grep -aqF -e "$token" "$HOME/.config/authctl/authctl.db" || fail "the token stands there as it is"
exits 69 authctl signout --retry
err "^authctl: error: 'oidc.test' did not confirm the revocation: '$ISSUER' responded with status 503 "
works authctl doctor --long
out "^note +revocation +the revocation of the tokens of 'oidc.test' failed"
works authctl signin --provider oidc.test
works authctl status
out '^Revoke again:  test: authctl signout --retry$'
exits 64 authctl signout --retry --revoke
exits 64 authctl signout --retry --account ada@example.com
# The provider is unreachable.
kill "$EMULATOR" && wait "$EMULATOR" || true
exits 69 authctl signout --retry
err "'oidc.test' did not confirm the revocation: cannot reach '$ISSUER': "
emulator --port "$port"
works authctl signout --retry --json
json "[(e['providerId'], e['revoked']) for e in d['retried']] == [('oidc.test', 'confirmed')]"
[ "$(requests 'revoke refresh_token')" = 1 ] && [ "$(requests 'revoke access_token')" = 1 ] || fail "both tokens"
works authctl signout --retry
err 'no revocation is pending'
works authctl status
no_out '^!'

#: Tokens of a client that the configuration no longer names stay stored until it names that client again.
port=$(free_port)
signed_in --port "$port" --fault revoke-503
exits 69 authctl signout --revoke
works authctl signin --provider oidc.test
kill "$EMULATOR" && wait "$EMULATOR" || true
emulator --port "$port"
works authctl providers set oidc.test --client-id another-client
exits 69 authctl signout --retry --json
json "[(e['providerId'], e['revoked'], e['keptUntil'][:2]) for e in d['retried']] == [('oidc.test', 'other-client', '20')]"
failed "'another client' in e['message'] and 'restore' in e['hint']"
exits 69 authctl signout --revoke
err 'signed out on this machine, but the tokens of .oidc.test. were issued to another client'
[ "$(requests 'revoke refresh_token')" = 0 ] || fail "another client told"
works authctl providers set oidc.test --client-id emulator-client
works authctl signout --retry --json
json "[e['revoked'] for e in d['retried']] == ['confirmed', 'confirmed']"
[ "$(requests 'revoke refresh_token')" = 2 ] || fail "both sessions"

#: With a client that authctl registered, its removal forgets the tokens that only it could revoke, and says so.
emulator --fault revoke-503
works authctl providers add oidc.test --issuer "$ISSUER" --register --redirect-uri "http://127.0.0.1:$(free_port)/callback"
works authctl signin
exits 69 authctl signout --revoke
works authctl providers remove oidc.test
err "the tokens that 'oidc.test' did not revoke are forgotten, and stay valid until they expire"
works authctl signout --retry
err 'no revocation is pending'

#: Tokens that cannot be decrypted do not prevent the revocation of others.
port=$(free_port)
signed_in --port "$port" --fault revoke-503
exits 69 authctl signout --revoke
works authctl signin --provider oidc.test
exits 69 authctl signout --revoke
kill "$EMULATOR" && wait "$EMULATOR" || true
emulator --port "$port"
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    first = "rowid = (SELECT MIN(rowid) FROM unrevoked_session)"
    db.execute(f"UPDATE unrevoked_session SET tokens = x'00', failed_at = failed_at - 1 WHERE {first}")
P
exits 69 authctl signout --retry --json
json "[e['revoked'] for e in d['retried']] == ['failed', 'confirmed']"
exits 69 authctl signout --retry --json
json "[e['revoked'] for e in d['retried']] == ['failed']"

#: Unrevoked tokens of a session with a refresh token are removed after 30 days.
signed_in --fault revoke-503
exits 69 authctl signout --revoke
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    assert db.execute("SELECT kept_until - failed_at FROM unrevoked_session").fetchall() == [(30 * 86400,)]
    db.execute("UPDATE unrevoked_session SET kept_until = kept_until - 31 * 86400")
P
exits 4 authctl status --json
json "d['unrevoked'] == []"
works authctl signout --retry
err 'no revocation is pending'
for n in 1 2; do
    works authctl signin --provider oidc.test
    exits 69 authctl signout --revoke
    err 'did not confirm the revocation'
done
python3 - "$HOME/.config/authctl/authctl.db" <<'P' || fail "what expired is there still"
import sqlite3, sys
assert sqlite3.connect(sys.argv[1]).execute("SELECT COUNT(*) FROM unrevoked_session").fetchone() == (2,)
P

#: At most 32 unrevoked sessions are stored: the earliest failures are removed first.
signed_in --fault revoke-503
exits 69 authctl signout --revoke
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.row_factory = sqlite3.Row
    row = dict(db.execute("SELECT * FROM unrevoked_session").fetchone())
    names = ", ".join(row)
    for number in range(1, 41):
        copy = row | {"id": f"{number:012x}", "failed_at": row["failed_at"] - number}
        db.execute(f"INSERT INTO unrevoked_session ({names}) VALUES ({', '.join('?' * len(row))})", list(copy.values()))
P
works authctl signin --provider oidc.test
exits 69 authctl signout --revoke
exits 4 authctl status --json
json "len(d['unrevoked']) == 32"
python3 - "$HOME/.config/authctl/authctl.db" <<'P' || fail "others than the earliest were removed"
import sqlite3, sys
kept = [id for id, in sqlite3.connect(sys.argv[1]).execute("SELECT id FROM unrevoked_session ORDER BY failed_at DESC, rowid DESC")]
assert kept[2:] == [f"{number:012x}" for number in range(1, 31)], kept
P

#: The result of another try names the session's resource.
emulator --fault revoke-503
works authctl signin --resource "$ISSUER/api"
exits 69 authctl signout --revoke
exits 69 authctl signout --retry --json
json "[(e['resource'], e['revoked']) for e in d['retried']] == [('$ISSUER/api', 'failed')]"

#: Signing out of one provider keeps the account's other sessions.
emulator
works authctl profile set --one-account-per-email off
works authctl providers add oidc.a --issuer "$ISSUER" --client-id emulator-client
first=$ISSUER
emulator
works authctl providers add oidc.b --issuer "$ISSUER" --client-id emulator-client
works authctl signin --provider oidc.a
works authctl link --provider oidc.b
works authctl signout --provider a --json
json "[e['providerId'] for e in d['signedOut']] == ['oidc.a']"
exits 4 authctl token --provider oidc.a
works authctl token
exits 4 authctl signout --provider oidc.a
err 'oidc.a'
works authctl whoami
works authctl signout --provider oidc.b --revoke
[ "$(requests 'revoke refresh_token')" = 1 ] || fail "the wrong provider"
exits 4 authctl whoami
exits 4 authctl signout --all --provider oidc.b

#: If the provider is no longer configured, the retry names it, and how to add it.
signed_in --fault revoke-503
exits 69 authctl signout --revoke
works authctl providers remove oidc.test
exits 78 authctl signout --retry
err "the tokens of 'oidc.test' were not revoked: 'oidc.test' is not configured"
err 'hint: .*authctl setup oidc.test; then: authctl signout --retry'

#: If the session of one account cannot be ended, those that ended before are reported.
signed_in
works authctl signin --provider oidc.test --param emulator_user=grace@example.com
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE session SET is_unproven = 1 WHERE account_uid = (SELECT MAX(account_uid) FROM session)")
P
cp -r "$HOME/.config/authctl" before
for flags in --revoke "--revoke --json" ""; do
    # shellcheck disable=SC2086
    exits 4 authctl signout --all $flags
    case $flags in
        *json) json "len(d['signedOut']) == 1" ;;
        *) err "^authctl: signed out of 'oidc.test'; " ;;
    esac
    err 'not signed out: '
    cp before/authctl.db "$HOME/.config/authctl/"
done
[ "$(requests 'revoke refresh_token')" = 2 ] || fail "the first account"

#: If one of several providers is no longer configured, the error names it, and not those that revoked their tokens.
emulator
works authctl profile set --one-account-per-email off
for provider in oidc.a oidc.b oidc.c; do
    works authctl providers add $provider --issuer "$ISSUER" --client-id emulator-client
    works authctl signin --provider $provider
done
works authctl providers remove oidc.a
exits 78 authctl signout --all --revoke
err "signed out of 'oidc.b'; the provider confirmed"
err "signed out on this machine, but the tokens of 'oidc.a' were not revoked: 'oidc.a' is not configured"
for provider in oidc.b oidc.c; do works authctl signin --provider $provider; done
for provider in oidc.b oidc.c; do works authctl providers remove $provider; done
exits 78 authctl signout --all --revoke
err "the tokens of 'oidc.(b', 'oidc.c|c', 'oidc.b)' were not revoked"
