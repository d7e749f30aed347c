# Sign-ins on terminals of different sizes and capabilities: the URL and the code are visible and complete.

. "$ROOT/Tests/ScriptTests/terminal.sh"

# raw: stores the screen in the file rows, one line for each row.
raw() { tmux -S "$SOCKET" capture-pane -p >rows; }

# tidy: checks that no control sequence is visible.
tidy() {
    raw
    ! grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\\u\{|\]8;|\]52;|\[[0-9;]*m' rows || { cat -v rows; fail "codes on the screen"; }
}

# The authorization URL on the screen, joined from all its rows.
url_shown() { screen; grep -oE 'http://127.0.0.1:[0-9]+/authorize[^ ]+' screen >url; [ "$(grep -o 'code_challenge_method=S256' url)" ]; }

# comes_back: runs the browser and prints its final URL.
comes_back() {
    local page
    page=$(curl -sS "$(cat url)" | grep -oE 'name="id" value="[^"]+"' | cut -d'"' -f4)
    curl -sS -o /dev/null -w '%{redirect_url}' -d "id=$page&decision=allow" "$ISSUER/emulator/decision"
}

#: In the device flow, the code and the URL fit on each screen, and nothing is cut.
person
for size in '40 24' '80 24' '120 40' '200 50'; do
    terminal $size "authctl signin --flow device"
    shows '^Waiting, [0-9]+:[0-9][0-9] left'
    shows '^(  Open   )?http://127.0.0.1:[0-9]+/emulator/device'
    shows '^(  Enter  )?[A-Z]{4}-[A-Z]{4}$'
    shows '^Sign in to test on any device:$'
    tidy
    if [ "$size" = '40 24' ]; then shows '^Enter open  Ctrl-C cancel$'; else shows 'left[.] Enter: open the page here  Ctrl-C: cancel$'; fi
    decides "$(code)" allow
    shows '[Ss]igned in to test'
    shows 'ended with 0'
    shows_not 'Waiting, '
    shows '^echo'
done

#: Over SSH, the device code is visible on each screen, and u shows the complete authorization URL.
person
for size in '40 24' '80 24' '120 40' '200 50'; do
    terminal $size "SSH_CONNECTION=x BROWSER= authctl signin"
    shows '^Waiting, [0-9]+:[0-9][0-9] left'
    shows '^(  Open   )?http://127.0.0.1:[0-9]+/emulator/device'
    shows '^(  Enter  )?[A-Z]{4}-[A-Z]{4}$'
    tidy
    presses u
    shows 'Open this URL'
    url_shown || { cat rows; fail "the URL is not whole"; }
    types "$(comes_back)"
    shows 'ended with 0'
    shows '^echo'
    works authctl status --long
    out 'by paste'
done

#: With a browser, shows two lines, the URL if the user types u, and accepts a pasted callback URL.
person
for size in '40 24' '80 24' '120 40' '200 50'; do
    terminal $size "authctl signin"
    shows '^Waiting, 4:5[0-9] left'
    shows '^Sign in to test in your browser'
    shows_not 'http|opened a browser'
    [ "$size" = '40 24' ] || [ "$(grep -c . screen)" = 2 ] || { cat screen; fail "more than two lines"; }
    presses u
    shows 'Open this URL'
    url_shown || { cat rows; fail "the URL is not whole"; }
    tidy
    types "$(comes_back)"
    shows 'ended with 0'
    shows_not 'Waiting, '
    shows_not 'state='"$(grep -oE 'state=[^&]+' url | cut -d= -f2)"'.*code='
done

#: With ACCESSIBLE=1, a sign-in prints lines of words, nothing is redrawn, and the code is spelled.
person
for variable in ACCESSIBLE=1 'ACCESSIBLE=0 AUTHCTL_ACCESSIBLE=1'; do
    terminal 80 24 "$variable script -qec \"authctl signin --flow device\" transcript"
    shows '^Waiting, [0-9]+:[0-9][0-9] left'
    shows '^(  Enter  )?[A-Z]{4}-[A-Z]{4}$'
    code=$(code)
    shows "Spelled: $(sed 's/-/,/; s/[A-Z]/& /g; s/ ,/, /; s/ $//' <<<"$code")\$"
    decides "$code" allow
    shows 'ended with 0'
    sed 's/\r$//' transcript >lines
    ! grep -P '[\r\x1b]|[^\x00-\x7f]' lines || fail "not only words"
done
terminal 80 24 "ACCESSIBLE=1 script -qec \"authctl status\" transcript"
shows '^test/ada@example.com  renews itself  default'
shows 'ended with 0'
sed 's/\r$//' transcript >lines
! grep -P '[\r\x1b]|[^\x00-\x7f]' lines || fail "not only words"

#: With TERM=dumb, NO_COLOR or an ASCII locale, prints no escape sequences, colours or non-ASCII text.
person
for setting in TERM=dumb NO_COLOR=1 LC_ALL=C; do
    terminal 80 24 "$setting script -qec \"authctl signin --flow device\" typescript"
    shows '^(  Open   )?http://127.0.0.1:[0-9]+/emulator/device'
    shows '^(  Enter  )?[A-Z]{4}-[A-Z]{4}$'
    tidy
    decides "$(code)" allow
    shows 'ended with 0'
    sed '1d;$d' typescript >written
    case $setting in
        TERM=dumb) ! grep -q $'\e' written && ! grep -qP '\r[^\r]' written || { cat -v written; fail "codes for a dumb terminal"; } ;;
        NO_COLOR=1) ! grep -qP '\x1b\[[0-9;]*m' written || { cat -v written; fail "colours"; } ;;
        LC_ALL=C) ! grep -qP '[^\x00-\x7f]' written || { cat -v written; fail "not ASCII"; } ;;
    esac
    terminal 80 24 "$setting authctl signin"
    shows 'show the URL'
    if [ $setting = TERM=dumb ]; then types u; else presses u; fi
    shows 'Open this URL'
    url_shown || fail "no URL"
    tidy
    types "$(comes_back)"
    shows 'ended with 0'
    shows '^echo'
done
# In an ASCII locale the output is only ASCII, also where text is cut.
LC_ALL=C exits 78 authctl providers add oidc.x --issuer "https://$(printf 'a%.0s' {1..250}).example/ä" --client-id c
! grep -qP '[^\x00-\x7f]' stderr || fail "not ASCII"
works env LC_ALL=C authctl token --help
! grep -qP '[^\x00-\x7f]' stdout || fail "not ASCII"

#: The terminal is restored and the countdown is removed, however a sign-in ends.
person
for end in INT QUIT TERM HUP; do
    terminal 80 24 "authctl signin"
    shows '^Waiting, 4:[0-9][0-9] left'
    process=$(tmux -S "$SOCKET" list-panes -F '#{pane_pid}')
    kill -$end "$(pgrep -P "$process" -x authctl)"
    shows 'ended with 1(30|31|43|29)'
    shows '^echo'
    shows_not 'Waiting, '
    [ $end != INT ] || shows '^authctl: cancelled'
done
terminal 80 24 "authctl signin --timeout 2"
shows 'timed out waiting for the'
shows '^echo'
shows_not 'Waiting, '

#: After Ctrl-\ ends a sign-in, the terminal has echo and line editing again.
person
for flags in '' '--flow device'; do
    terminal 80 40 "trap : QUIT; authctl signin $flags; echo \"left with \$?\"; stty -a"
    shows '^Waiting, [0-9]+:[0-9][0-9] left'
    presses 'C-\'
    shows '^left with 131'
    shows '^isig icanon iexten echo '
    shows_not 'Waiting, '
done

#: On a dumb terminal, an answer after the device flow is echoed, and Ctrl-C leaves the echo on.
provider google.com
works authctl signin --provider google.com
works authctl signout
provider github.com
terminal 120 40 "TERM=dumb authctl signin --provider github.com --flow device; echo \"left with \$?\"; stty -a"
shows "Sign in to google.com now to link it[?]"
tmux -S "$SOCKET" send-keys -l 'nearly'
shows '\[y/N\] nearly'
presses C-c
shows '^authctl: cancelled'
shows '^left with 130'
shows '^isig icanon iexten echo '

#: As a background job, prints the instructions once, reads no input and keeps waiting.
person
terminal 80 24 "set -m; authctl signin --flow device & wait \$!"
shows '^(  Enter  )?[A-Z]{4}-[A-Z]{4}$'
types 'for somebody else'
shows_not 'Waiting, '
decides "$(code)" allow
shows '[Ss]igned in to test'
shows 'ended with 0'
