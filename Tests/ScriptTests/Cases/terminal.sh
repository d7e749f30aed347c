# The screen of a real terminal, drawn by tmux.

. "$ROOT/Tests/ScriptTests/terminal.sh"

#: The device flow shows the URL, the remaining time and the result.
person
terminal 100 60 "authctl signin --flow device"
shows '^Sign in to test on any device:$'
shows '^  Open   http://127.0.0.1:[0-9]+/emulator/device$'
shows '^Enter this code only if you started this sign-in yourself[.]$'
shows '^Waiting, [45]:[0-9][0-9] left[.] Enter: open the page here  Ctrl-C: cancel$'
shows_not 'client'
tmux -S "$SOCKET" capture-pane -p -e >drawn
grep -qE $'\e\\[1m[A-Z]{4}-[A-Z]{4}' drawn || { cat -v drawn; fail "the code is not bold"; }
decides "$(code)" allow
shows '[Ss]igned in to test as ada@example.com'
shows 'ended with 0'
shows_not 'Waiting, '

#: Reports that the user declined on the other device.
person
terminal 100 60 "authctl signin --flow device"
shows 'Enter  '
decides "$(code)" deny
shows 'access-denied'
shows 'ended with 7'

#: Over SSH, shows a code, and with u a URL; the first of them to complete ends the sign-in.
person
terminal 80 24 "SSH_CONNECTION=x BROWSER= authctl signin"
shows '^Waiting, 4:5[0-9] left[.] u: use a URL  Ctrl-C: cancel$'
decides "$(code)" allow
shows 'ended with 0'
works authctl status --long
out 'by device'
terminal 80 24 "SSH_CONNECTION=x BROWSER= authctl signin"
shows 'u: use a URL'
presses u
shows '^Sign in to test[.] Open this URL on any computer:$'
shows 'd: use a code  Ctrl-C: cancel$'
shows_not 'on any device'
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
shows 'u: show the URL'
presses u
shows 'and paste it here'
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

#: With a browser, u and d replace the screen again and again; typed text is not shown, and echo is restored at the end.
person
terminal 120 40 "echo before; authctl signin"
shows '^Sign in to test in your browser. A page of 127.0.0.1 was opened.$'
shows '^Waiting, 4:5[0-9] left[.] u: show the URL  d: use a code  Ctrl-C: cancel$'
shows_not 'http|[A-Z]{4}-[A-Z]{4}'
presses d
shows '^  Enter  [A-Z]{4}-[A-Z]{4}$'
shows 'Enter: open the page here  u: use a URL  Ctrl-C: cancel'
shows_not 'in your browser|authorize'
code=$(code)
for _ in 1 2; do
    presses u
    shows 'authorize[?]'
    shows_not 'on any device'
    presses d
    shows "^  Enter  $code\$"
    shows_not 'authorize'
done
[ "$(grep -c . screen)" = 6 ] && [ "$(head -1 screen)" = before ] || { cat screen; fail "something else is on the screen"; }
tmux -S "$SOCKET" set-buffer u
tmux -S "$SOCKET" paste-buffer -p
presses Enter
shows 'Invalid input: not a callback URL'
shows_not 'authorize'
tmux -S "$SOCKET" send-keys -l 'typed text'
shows 'Waiting, '
shows_not 'typed text'
presses Enter
decides "$code" allow
shows 'ended with 0'
shows '^echo'

#: A browser program that ends with an error brings the URL; Enter opens the page of the code.
person
terminal 100 30 "BROWSER=false authctl signin"
shows '^Sign in to test[.] Open this URL on any computer:$'
shows_not 'in your browser'
presses C-c
shows 'ended with 130'
printf '#!/bin/sh\necho "$1" >>%s/opened\n' "$PWD" >browser && chmod +x browser
terminal 80 30 "BROWSER=$PWD/browser authctl signin --flow device"
shows 'Enter: open the page here'
presses Enter
awaits opened '/emulator/device' >page
decides "$(code)" allow
shows 'ended with 0'

#: With --flow browser and without a browser, a terminal shows the URL and accepts the callback URL.
person
terminal 100 30 "BROWSER= authctl signin --flow browser"
shows '^Sign in to test[.] Open this URL on any computer:$'
shows 'and paste it here'
shows '^Waiting, 4:5[0-9] left[.] Ctrl-C: cancel$'
presses C-c
shows 'ended with 130'

#: For a resource, the first two lines say which one and what is asked for, in all three screens.
person
terminal 100 30 "authctl signin --resource $ISSUER/api"
shows '^Send a token of|\[y/N\]'
types y
for key in '' d u; do
    [ -z "$key" ] || presses $key
    shows "^Sign in to $ISSUER/api at 127.0.0.1\$"
    shows '^It asks for: '
    case $key in
        '') shows '^A page of 127.0.0.1 was opened in your browser.$' ;;
        d) shows '^  Enter  [A-Z]{4}-[A-Z]{4}$' ;;
        u) shows '^Open this URL on any computer:$' ;;
    esac
done
shows_not 'requesting a token'
presses d
shows '^On any device:$'
decides "$(code)" allow
shows '^Tokens are stored encrypted; the key is in'
shows 'ended with 0'

#: With ACCESSIBLE=1, a key needs Enter, and with --verbose the code's client is shown.
person
terminal 100 60 "ACCESSIBLE=1 authctl signin"
shows '^Waiting, [45]:[0-9][0-9] left[.] u[+]Enter: show the URL  d[+]Enter: use a code  Ctrl-C: cancel$'
types d
shows 'Enter  [A-Z]{4}-[A-Z]{4}'
types u
shows 'Open this URL on any computer'
shows 'on any device'
presses C-c
shows 'ended with 130'
terminal 100 60 "authctl signin --flow device --verbose"
shows '^Client ID: emulator-client$'
presses C-c
shows 'ended with 130'

#: Reports that the provider's policy forbids device codes, and the other methods still work.
person --fault device-refused
terminal 120 70 "SSH_CONNECTION=x BROWSER= authctl signin"
shows 'the device flow is not available:.*unauthorized_client'
shows 'Open this URL'
presses C-c
shows 'ended with 130'
shows '^echo'

#: Asks for the provider, and for a hidden password.
person
works authctl providers add oidc.other --issuer "$ISSUER" --client-id emulator-client
terminal 100 40 "authctl signin"
shows 'Which provider'
shows '2  oidc.other'
shows 'A number, or the name of a provider or service: ?$'
types 7
shows 'Invalid input: enter a number from 1 to 3, or a name'
types oidc.t
shows 'Sign in to test in your browser'
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

#: Text that is typed before a question does not answer it, hidden or not.
signed_in
mkfifo gate
terminal 100 24 "cat gate; authctl accounts delete"
types y
shows '^y$'
: >gate
shows '\[y/N\] $'
shows_not 'ended with'
# If the first answer had been read, this one would not be.
types n
shows 'ended with 2'
works authctl whoami
terminal 100 24 "cat gate; authctl signin --provider password --email grace@example.com --create"
types 'not the password'
shows '^not the password$'
: >gate
shows 'New password: $'
presses C-d
shows 'ended with 2'
shows_not 'Repeat'

#: On a terminal, a sign-out that ends several sessions names them and asks first, once.
emulator
for id in oidc.work oidc.home; do works authctl providers add $id --issuer "$ISSUER" --client-id emulator-client; done
works authctl signin oidc.work
works authctl link oidc.home
terminal 100 24 'authctl signout'
shows '^Sign out of home/ada@example.com and work/ada@example.com[?] \[y/N\] $'
types n
shows 'ended with 2'
works authctl token work
terminal 100 24 'authctl signout home'
shows 'ended with 0'
shows_not '\[y/N\]'
terminal 100 24 'authctl signout'
shows 'ended with 0'
shows_not '\[y/N\]'
for command in '--yes' '--no-input' '--all' '| cat'; do
    works authctl signin oidc.work
    works authctl signin oidc.home
    terminal 100 24 "set -o pipefail; authctl signout $command"
    case $command in *cat) shows '\[y/N\] $'; types y ;; esac
    shows 'ended with 0'
    exits 4 authctl token
done

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
    pause 0.05
done
until [ "$(tmux -S "$SOCKET" capture-pane -p | grep -c 'New password')" = 2 ]; do
    [ $EPOCHSECONDS -lt $last ] || fail 'not asked again'
    pause 0.05
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
    [ $columns = 40 ] && terminal 40 24 "authctl status --long" || fits $columns "authctl status --long"
    shows 'renews itself, default|renews itself +default'
    shows 'ada@example.com'
    for command in 'accounts list' 'providers list' whoami 'accounts show'; do fits $columns "authctl $command"; done
done
fits 40 "authctl accounts list"
shows 'a.name.that.n.*…'
fits 40 "LC_ALL=C authctl accounts list"
shows 'a.name.that.n.*[.][.][.]'

#: At 80 columns, accounts list drops the uids first, and never the providers.
signed_in
works authctl signin --provider oidc.test --param emulator_user=a.name.that.needs.some.room@example.com
fits 80 'authctl accounts list'
shows 'a.name.that.needs.some.room@example.com +oidc.test$'
shows_not '[0-9a-f]{28}'

#: Colours a state only if the terminal supports colours.
signed_in
coloured() { tmux -S "$SOCKET" capture-pane -p -e >drawn; grep -q $'\e\\[2mdefault' drawn; }
fits 80 "authctl status"
coloured || { cat -v drawn; fail "no colour"; }
for setting in NO_COLOR=1 TERM=dumb TERM=; do
    fits 80 "$setting authctl status"
    shows 'default$'
    ! coloured || fail "coloured with $setting"
done
fits 200 "authctl status | cat"
! coloured || fail "coloured in a pipe"

#: Prints what the user must do above the command if both do not fit on one line.
emulator --fault no-refresh-token --access-ttl 1
works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
works authctl signin
until ! authctl status >/dev/null; do pause 0.05; done
terminal 40 24 "authctl status"
shows 'ended with 4'
shows '^test/ada@example.com$'
shows '^    expired, default$'
shows '^    authctl signin oidc.test$'
terminal 80 24 "authctl status"
shows '^test/ada@example.com  expired  default$'
shows '^Sign in again:  authctl signin oidc.test$'

#: Prints an error on a new line after a response without a final newline.
signed_in
[ -n "$(curl -sS "$ISSUER/nothing/here" | tail -c 1)" ] || fail "the answer ends with a line"
terminal 120 24 "authctl request $ISSUER/nothing/here"
shows '^authctl: error: .*status 404'
