# The screen of a real terminal, drawn by tmux.

. "$ROOT/Tests/ScriptTests/terminal.sh"

#: The device flow shows the URL, the remaining time and the result.
person
terminal 100 60 "authctl signin --flow device"
shows 'visit  http://127.0.0.1:[0-9]+/emulator/device$'
shows 'Waiting for the sign-in, [45]:[0-9][0-9] left'
decides "$(code)" allow
shows 'signed in to .oidc.test. as ada@example.com, a new account'
shows 'ended with 0'
shows_not 'Waiting for the sign-in, '

#: Reports that the user declined on the other device.
person
terminal 100 60 "authctl signin --flow device"
shows 'enter  '
decides "$(code)" deny
shows 'access-denied'
shows 'ended with 7'

#: The QR code contains the URL with the code, and is omitted if it does not fit.
person
terminal 100 60 "authctl signin --flow device"
shows 'Never enter a code that someone sent you'
screen
page=$(grep -oE 'or visit  http[^ ]+' screen | cut -c11-)
tmux -S "$SOCKET" capture-pane -p >blocks
[ "$(python3 "$ROOT/Tests/Servers/qr.py" <blocks)" = "$page" ] || { cat blocks; fail "the QR code does not say $page"; }
presses C-c
shows 'ended with 130'
terminal 30 60 "authctl signin --flow device"
shows 'Never enter a code'
shows_not '█'

#: Over SSH, shows a code and a URL; the first of them to complete ends the sign-in.
person
terminal 120 70 "SSH_CONNECTION=x BROWSER= authctl signin"
shows "To sign in to 'oidc.test' in a browser, visit this URL"
shows 'paste the callback URL'
decides "$(code)" allow
shows 'ended with 0'
works authctl status --long
out 'by device'
terminal 120 70 "SSH_CONNECTION=x BROWSER= authctl signin"
shows 'paste the callback URL'
screen
grep -oE 'http://127.0.0.1:[0-9]+/authorize[^ ]+' screen >url
emulator_page=$(curl -sS "$(cat url)" | grep -oE 'name="id" value="[^"]+"' | cut -d'"' -f4)
callback=$(curl -sS -o /dev/null -w '%{redirect_url}' -d "id=$emulator_page&decision=allow" "$ISSUER/emulator/decision")
types "$callback"
shows 'ended with 0'
shows_not "$(grep -oE 'code=[^&]+' <<<"$callback" | cut -d= -f2)"
works authctl status --long
out 'by paste'

#: Reports why pasted text is wrong and keeps waiting; accepts a URL in quotes.
person
terminal 120 70 "authctl signin"
shows 'Press u for the URL'
presses u
shows 'paste the callback URL'
screen
grep -oE 'http://127.0.0.1:[0-9]+/authorize[^ ]+' screen >url
types hello
shows 'Invalid input: not a callback URL; the callback URL begins with http://127.0.0.1:[0-9]+/callback[^ ]*[?]. Still waiting'
types "$(cat url)"
shows "Invalid input: the URL of another page"
types "$(sed -E 's/.*redirect_uri=([^&]*).*/\1/; s/%3A/:/g; s/%2F/\//g' url)?code=a&state=another"
shows 'Invalid input: the callback URL of another sign-in'
emulator_page=$(curl -sS "$(cat url)" | grep -oE 'name="id" value="[^"]+"' | cut -d'"' -f4)
callback=$(curl -sS -o /dev/null -w '%{redirect_url}' -d "id=$emulator_page&decision=allow" "$ISSUER/emulator/decision")
shows_not 'ended with'
types "\"$callback\""
shows 'ended with 0'

#: With a browser, shows a device code only if the user types d; echo is restored at the end.
person
terminal 120 70 "authctl signin"
shows 'Press u for the URL, d for a code[.]'
shows_not 'enter  [A-Z]'
presses d
shows 'enter  [A-Z]{4}-[A-Z]{4}'
decides "$(code)" allow
shows 'ended with 0'
shows '^echo'

#: Reports that the provider's policy forbids device codes, and the other methods still work.
person --fault device-refused
terminal 120 70 "SSH_CONNECTION=x BROWSER= authctl signin"
shows 'the device flow is not available:.*unauthorized_client'
shows 'visit this URL'
presses C-c
shows 'ended with 130'
shows '^echo'

#: Asks for the provider, and for a hidden password.
person
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
terminal 100 40 "authctl signin"
shows 'Which provider'
shows '2  oidc.other'
shows '^> ?$'
types 7
shows 'Invalid input: enter a number from 1 to 2, or a name'
types oidc.t
shows 'Opening oidc.test in your browser'
presses C-c
shows '^authctl: cancelled'
shows 'ended with 130'
terminal 100 40 "authctl signin --provider password --create"
shows 'Email: '
types ada@example.com
shows 'New password: '
types 'correct horse battery staple'
shows 'Repeat the password: '
types 'correct horse battery stable'
shows 'The two passwords differ'
shows 'New password: $'
types 'correct horse battery staple'
shows 'Repeat the password: $'
types 'correct horse battery staple'
shows 'ended with 0'
shows_not 'horse'
terminal 100 40 "authctl signin --provider password"
shows 'Email: $'
presses C-d
shows 'cancelled .user-cancelled'
shows 'ended with 2'

#: After Ctrl-Z and fg, a password is hidden as before.
terminal 100 24 'PS1="ready> " bash --norc --noprofile -i'
shows 'ready>'
types 'authctl signin --provider password --email ada@example.com --create'
shows 'New password'
presses C-z
shows 'Stopped'
types fg
tty=$(tmux -S "$SOCKET" display-message -p '#{pane_tty}')
last=$((EPOCHSECONDS + PATIENCE))
until stty -F "$tty" -a | grep -qE -- ' -echo( |$)'; do
    [ $EPOCHSECONDS -lt $last ] || fail 'the terminal echoes'
    read -rt 0.05 <> <(:) || true
done
until [ "$(tmux -S "$SOCKET" capture-pane -p | grep -c 'New password')" = 2 ]; do
    [ $EPOCHSECONDS -lt $last ] || fail 'not asked again'
    read -rt 0.05 <> <(:) || true
done
types 'correct horse battery'
shows 'Repeat'
shows_not 'correct'

#: On a terminal, asks for a secret from standard input: hidden, ended by Enter, and edited with Backspace.
person --client-secret 'client-secret-of-the-test'
terminal 100 40 "authctl providers add oidc.second --issuer $ISSUER --client-id emulator-client --client-secret-stdin"
shows 'Client secret: $'
tmux -S "$SOCKET" send-keys -l 'client-secret-of-the-tesx'
presses BSpace
types t
shows "added provider 'oidc.second'"
shows 'ended with 0'
shows '^echo'
shows_not 'secret-of|tesx'
works authctl providers show oidc.second
out 'client secret +encrypted in the store'
terminal 100 40 "authctl signin --provider oidc.second --flow client-credentials --scope deploy"
shows 'ended with 0'
terminal 100 40 "authctl signin --provider password --email ada@example.com --create --password-stdin"
shows 'New password: '
types 'correct horse battery staple'
shows 'Repeat the password: '
types 'correct horse battery staple'
shows 'ended with 0'
shows_not 'horse'
terminal 100 40 "authctl signin --provider password --email ada@example.com --password-stdin 2>notes"
shows 'Password: '
types 'correct horse battery staple'
shows 'ended with 0'
shows_not 'horse'
# Longer than the 4096 bytes of a terminal's line buffer.
long=$(printf 'a%.0s' {1..6000})
terminal 100 40 "authctl signin --provider oidc.second --id-token -"
shows 'ID token: '
tmux -S "$SOCKET" send-keys -l "$long"
presses Enter
shows 'invalid-id-token'
shows 'ended with 65'
shows_not 'aaaaaaaa'
terminal 100 40 "authctl providers add oidc.third --issuer $ISSUER --client-id emulator-client --client-secret-stdin --no-input"
shows 'interaction-required'
shows 'ended with 4'
terminal 100 40 "authctl providers add oidc.third --issuer $ISSUER --client-id emulator-client --client-secret-stdin"
shows 'Client secret: $'
presses C-c
shows '^authctl: cancelled'
shows 'ended with 130'
shows '^echo'
terminal 100 40 "authctl accounts delete"
shows '\[y/N\] $'
presses C-d
shows '^authctl: error: account not deleted: cancelled'
! grep -q '^authctl: hint: ' screen || fail 'a hint after a cancellation'
terminal 100 40 "authctl profile set --vault passphrase"
shows 'New passphrase.*: $'
presses C-d
shows 'profile not changed: cancelled'
shows 'ended with 2'
terminal 100 40 "authctl providers add oidc.third --issuer $ISSUER --client-id emulator-client --client-secret-stdin"
shows 'Client secret: $'
presses C-d
shows 'user-cancelled'
shows 'ended with 2'
shows '^echo'

#: At each terminal width, no line of status and of lists wraps; the least important columns are omitted.
signed_in
works authctl signin --provider oidc.test --param emulator_user=a.name.that.needs.much.more.room.than.there.is@example.com
for columns in 40 80 200; do
    fits $columns "authctl status --long"
    shows 'oidc.test +fresh +expires in (59|60) min'
    shows 'ada@example.com'
    for command in 'accounts list' 'providers list' whoami 'accounts show'; do fits $columns "authctl $command"; done
done
fits 40 "authctl status --long"
shows_not 'refreshed automatically'
shows 'a.name.that.needs.*…$'
fits 40 "LC_ALL=C authctl status --long"
shows 'a.name.that.needs.*[.][.][.]$'
fits 80 "authctl status --long"
shows 'refreshed automatically'
shows_not 'proven'
fits 200 "authctl status --long"
shows 'authenticated .* ago  20[0-9-]+T'

#: Colours a state only if the terminal supports colours.
signed_in
coloured() { tmux -S "$SOCKET" capture-pane -p -e >drawn; grep -q $'\e\\[32m✓' drawn; }
fits 80 "authctl status"
coloured || { cat -v drawn; fail "no colour"; }
for setting in NO_COLOR=1 TERM=dumb TERM=; do
    fits 80 "$setting authctl status"
    shows 'signed in$'
    ! coloured || fail "coloured with $setting"
done
fits 200 "authctl status | cat"
! coloured || fail "coloured in a pipe"

#: Prints what the user must do above the command if both do not fit on one line.
emulator --fault no-refresh-token --access-ttl 1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
until ! authctl status >/dev/null; do read -rt 0.05 <> <(:) || true; done
terminal 40 24 "authctl status"
shows 'ended with 4'
shows '^✗ .* expired$'
shows '^    authctl signin --provider oidc.test$'
terminal 40 24 "authctl status --long"
shows "^! 'oidc.test' of ada@example.com has ex.*…$"
shows '^  authctl signin --provider oidc.test$'

#: Prints an error on a new line after a response without a final newline.
signed_in
[ -n "$(curl -sS "$ISSUER/nothing/here" | tail -c 1)" ] || fail "the answer ends with a line"
terminal 120 24 "authctl request $ISSUER/nothing/here"
shows '^authctl: error: .*status 404'
