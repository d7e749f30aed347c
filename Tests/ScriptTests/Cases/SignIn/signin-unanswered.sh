# A sign-in started by a script times out: the next one pauses and does not open another browser.

# A browser without a user; it counts how often it was opened.
cat >browser <<'P'
#!/bin/sh
echo opened >>opened
P
chmod +x browser

#: Fifty sign-ins of scripts, in sequence and in parallel, open only one browser.
emulator
export BROWSER=$PWD/browser
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 3 authctl signin --timeout 1
for _ in 1 2 3; do
    exits 4 authctl signin --timeout 1
    err 'the browser can be opened again in [0-9]+ seconds'
    err 'on a terminal, it is opened at once'
done
for _ in $(seq 46); do authctl signin --timeout 1 2>/dev/null & done
wait $(jobs -p | grep -v "$EMULATOR") || true
[ "$(wc -l <opened)" = 1 ] || fail "opened $(wc -l <opened) times"

#: A script with different options than the sign-in that timed out does not pause.
emulator
export BROWSER=$PWD/browser
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
exits 3 authctl signin --timeout 1
exits 4 authctl signin --timeout 1
err 'the last sign-in timed out'
err 'hint: on a terminal, it is opened at once$'
exits 3 authctl signin --timeout 1 --login-hint ada@example.com
exits 4 authctl signin --timeout 1 --login-hint ada@example.com
awaits opened opened
[ "$(wc -l <opened)" = 2 ] || fail "opened $(wc -l <opened) times"
BROWSER="curl -sS -L -o /dev/null" works authctl signin
exits 3 authctl signin --timeout 1

#: A completed sign-in ends the pause, and a clock that was set back does not extend it.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
BROWSER=$PWD/browser exits 3 authctl signin --timeout 2
exits 4 authctl signin --timeout 2
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE unanswered_sign_in SET last_at = last_at + 100000")
P
exits 4 authctl signin --timeout 2
err 'in 60 seconds'
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE unanswered_sign_in SET last_at = last_at - 100100")
    db.execute("CREATE TRIGGER full BEFORE DELETE ON unanswered_sign_in BEGIN SELECT RAISE(ABORT, 'full'); END")
P
# The sign-in has succeeded, even if the count cannot be deleted.
works authctl signin --timeout 2
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("DROP TRIGGER full")
P
works authctl signin --timeout 2
python3 - "$HOME/.config/authctl/authctl.db" <<'P'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: assert not db.execute("SELECT * FROM unanswered_sign_in").fetchall()
P

#: The kubectl plugin signs in only if kubectl allows prompts.
emulator
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
export KUBERNETES_EXEC_INFO='{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}}'
exits 4 authctl credential kubectl
export KUBERNETES_EXEC_INFO='{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":true}}'
CI=1 exits 4 authctl credential kubectl
works authctl credential kubectl
json "d['status']['token'].startswith('eyJ')"
works authctl signout
BROWSER=$PWD/browser exits 3 authctl credential kubectl --timeout 1
exits 4 authctl credential kubectl --timeout 1
err 'the browser can be opened again'
awaits opened opened
[ "$(wc -l <opened)" = 1 ] || fail "opened $(wc -l <opened) times"
