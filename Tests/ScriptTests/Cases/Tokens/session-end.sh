# The end of a session: when its refresh token expires, if the provider says that.

# ends EXPRESSION: checks a Python expression over s, the session in the output of status, and left, its remaining seconds.
ends() {
    works authctl status --json
    json "(lambda s, left: $1)(d['accounts'][0]['sessions'][0], lambda: datetime.datetime.fromisoformat(d['accounts'][0]['sessions'][0]['refreshTokenExpiresAt'].replace('Z', '+00:00')).timestamp() - time.time())"
}
json() { python3 -IS -c "import datetime, json, sys, time; d=json.load(open('stdout')); sys.exit(0 if ($1) else 1)" || fail "not true of standard output: $1"; }
# session FLAGS…: like signed_in, without the sessions of before.
session() {
    rm -rf "$HOME/.config/authctl"
    signed_in "$@"
}
# reminder: the note on standard error.
reminder="^authctl: the session with 'oidc.test' ends soon; sign in again by [0-9A-Za-z: ]+: authctl signin oidc.test$"

#: status and its schema have the time that the provider said.
session --session-ttl 864000
ends "863000 < left() <= 864000 and s['state'] == 'fresh' and s['hasRefreshToken']"
works authctl status
out "^test/ada@example.com  renews itself, sign in again by $(date -d '+10 days' '+%-d %b')  default$"
works authctl status --long
out '^    session ends +20[0-9]{2}-[01][0-9]-[0-3][0-9]T'
# Less than a day: the time.
session --session-ttl 7200
works authctl status
out '^test/ada@example.com  renews itself, sign in again by [0-2][0-9]:[0-5][0-9]  default$'
no_err .

#: Nothing is printed or stored if the provider says nothing, or says that the refresh token does not expire.
session
ends "s['refreshTokenExpiresAt'] is None"
for value in 0 '"0"' null; do
    session --token-member "refresh_expires_in=$value"
    ends "s['refreshTokenExpiresAt'] is None"
    works authctl status
    out '^test/ada@example.com  renews itself  default$'
    works authctl token --force-refresh
    no_err .
done

#: A bad value is treated like that of expires_in: the sign-in works, and no time is invented.
for value in -5 '"-5"' '"soon"' '""' '[3]' '{"a":1}' true '"1e3"' 0.4; do
    for name in refresh_token_expires_in refresh_expires_in; do
        session --token-member "$name=$value"
        ends "s['refreshTokenExpiresAt'] is None and s['state'] == 'fresh'"
        works authctl token --force-refresh
        no_err .
    done
done
# A number as text, and numbers that are too large: at most one year.
session --token-member 'refresh_expires_in="86400"'
ends '86000 < left() <= 86400'
for value in 1e300 99999999999999999999 9223372036854775807 '"99999999999999999999"'; do
    session --token-member "refresh_token_expires_in=$value"
    ends '31535000 < left() <= 31536000'
    works authctl token --force-refresh
    no_err .
done
# An invalid value of one name does not hide the valid one of the other.
session --token-member 'refresh_token_expires_in="x"' --token-member refresh_expires_in=86400
ends '86000 < left() <= 86400'

#: A refresh changes the time: it is extended, retained or unknown, as the provider says.
session --token-member refresh_expires_in=864000
session_set tokens.refreshTokenExpiresAt 'old - 500000'
works authctl token --force-refresh
ends '863000 < left() <= 864000'
# No value, and another refresh token: the time is unknown.
session
session_set tokens.refreshTokenExpiresAt "$((EPOCHSECONDS + 864000))"
works authctl token --force-refresh
ends "s['refreshTokenExpiresAt'] is None"
# No value and the same refresh token: the time remains.
session --fault refresh-no-rotation
session_set tokens.refreshTokenExpiresAt "$((EPOCHSECONDS + 864000))"
works authctl token --force-refresh
ends '863000 < left() <= 864000'

#: In the last three days, token prints one note a day, also if the token need not be refreshed.
session --session-ttl 864000 --access-ttl 2000000
works authctl token
no_err .
works faketime -f '+6d' authctl token
no_err .
works faketime -f '+8d' authctl token --quiet
no_err .
works faketime -f '+8d' authctl token
err "$reminder"
err 'sign in again by [0-9]{1,2} [A-Z][a-z]{2}: '
out .
works faketime -f '+8d' authctl token
no_err .
works faketime -f '+8d' authctl token --json
no_err .
works faketime -f '+215h' authctl token --header
no_err .
works faketime -f '+217h' authctl token oidc.test --json
err 'sign in again by [0-2][0-9]:[0-5][0-9]: authctl signin oidc.test$'
# When the time is over, the token that is still valid is printed.
works faketime -f '+11d' authctl token
no_err .
works faketime -f '+11d' authctl status
no_out 'renews itself'
# Only one of several processes prints the note. The clock is real: under libfaketime, a task that waits never wakes.
session_set tokens.remindsAt 1
rm -f notes.*
for i in 1 2 3 4 5 6 7 8 9 10; do authctl token >"token.$i" 2>"notes.$i" & pids[i]=$!; done
for i in 1 2 3 4 5 6 7 8 9 10; do wait "${pids[i]}" || fail "exit $?"; done
[ "$(cat notes.* | grep -c 'ends soon')" = 1 ] || fail "$(cat notes.*)"
[ "$(cat token.* | sort -u | wc -l)" = 1 ] || fail "different tokens"

#: A short session that each refresh extends has no note, and one that a refresh does not extend has.
session --token-member refresh_expires_in=1800
works authctl token --force-refresh
session_set tokens.refreshTokenExpiresAt 'old - 300'
works authctl token --force-refresh
no_err .
session --session-ttl 7200
works authctl token
no_err .
works authctl token --force-refresh
err "$reminder"
works authctl token --force-refresh
no_err .
works authctl token
no_err .

#: When the time is over and the provider rejects the refresh token, the error says when the session ended.
session --session-ttl 1
next_second
next_second
for _ in 1 2; do exits 4 authctl token --force-refresh; done
err "^authctl: error: the session with 'oidc.test' ended on $(date '+%-d %b %Y'); sign in again \\(not-signed-in\\)$"
err '^authctl: hint: authctl signin oidc.test$'
session --session-ttl 1 --access-ttl 1
next_second
next_second
exits 4 authctl status --json
json "d['accounts'][0]['sessions'][0]['state'] == 'needs-sign-in'"
exits 4 authctl status
out '^Sign in again:  authctl signin oidc.test$'
exits 4 authctl token --json
failed "'ended on' in e['message'] and e['code'] == 'not-signed-in'"
works authctl signin oidc.test
# The time of this machine can be wrong: a refresh is tried, and its response counts.
session --access-ttl 1
session_set tokens.refreshTokenExpiresAt 1
next_second
next_second
works authctl token

#: GitHub says it in another member.
provider github.com --fault github-app
works authctl signin github.com
works authctl status
out "renews itself, sign in again by $(date -d '+184 days' '+%-d %b')"
