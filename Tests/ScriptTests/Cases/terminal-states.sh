# What users see every day, on terminals of different sizes and capabilities.

. "$ROOT/Tests/ScriptTests/terminal.sh"

settings=('40 24' '80 24' '120 40' NO_COLOR=1 TERM=dumb LC_ALL=C ACCESSIBLE=1)

# on SETTING COMMAND: runs it in a terminal of this size, or of 80 columns with this variable.
on() { case $1 in *=*) terminal 80 24 "export $1; $2" ;; *) terminal $1 "$2" ;; esac; }

# fitting SETTING: checks that the screen has only what this terminal can show, and breaks no line inside a word.
fitting() {
    tmux -S "$SOCKET" capture-pane -p -e >coloured
    tmux -S "$SOCKET" capture-pane -p >rows
    ! grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\\u\{' rows || { cat -v rows; fail "codes on the screen: $1"; }
    case $1 in
        NO_COLOR=1 | TERM=dumb | ACCESSIBLE=1) ! grep -qP '\x1b\[[0-9;]*3[1-7]' coloured || fail "colours: $1" ;;
        *) ;;
    esac
    case $1 in LC_ALL=C | ACCESSIBLE=1) ! grep -qP '[^\x00-\x7f]' rows || { cat rows; fail "not ASCII: $1"; } ;; esac
    # A line that the terminal breaks, and not the program, is joined on the screen. What is copied stays whole.
    ! sed '/ended with/,$d; s/ *$//' screen | awk -v "most=$(tmux -S "$SOCKET" display-message -p '#{pane_width}')" 'length > most' |
        grep -vE 'https?://|^authctl: hint: ' || { cat rows; fail "a line is cut by the terminal: $1"; }
}

#: No account, and no provider.
for setting in "${settings[@]}"; do
    on "$setting" 'authctl status'
    shows 'ended with 4'
    shows 'authctl: error: not signed in'
    shows 'authctl setup'
    fitting "$setting"
done

#: One, three and twenty accounts: a line for each.
signed_in
count=1
for wanted in 1 3 20; do
    while [ $count -lt $wanted ]; do
        count=$((count + 1))
        works authctl signin --provider oidc.test --param "emulator_user=user$count@example.com"
    done
    for setting in "${settings[@]}"; do
        on "$setting" 'authctl status'
        shows 'ended with 0'
        # At 40 columns, an account has two lines, and twenty do not fit.
        [ "$setting $wanted" = '40 24 20' ] || [ "$(grep -c '@example.com' screen)" = "$wanted" ] || { cat screen; fail "not $wanted lines: $setting"; }
        fitting "$setting"
        case $setting in
            '40 24') shows '^    renews itself(, default)?$' ;;
            *) shows '^test/user[0-9]+@example.com +renews itself|^test/ada@example.com +renews itself' ;;
        esac
    done
done

#: A sign-in in a browser, by code and over SSH: the instructions, the URL or code, and the result.
person
for setting in "${settings[@]}"; do
    on "$setting" 'authctl signin'
    case $setting in
        TERM=dumb | ACCESSIBLE=1) shows 'in your browser' && types u && shows 'and paste it here' ;;
        *)
            shows 'in your browser'
            presses u
            shows 'and paste it here'
            ;;
    esac
    fitting "$setting"
    presses C-c
    shows 'ended with 130'
    for command in 'authctl signin --flow device' 'SSH_CONNECTION=x BROWSER= authctl signin'; do
        on "$setting" "$command"
        shows '^(  Enter  )?[A-Z]{4}-[A-Z]{4}'
        fitting "$setting"
        decides "$(code)" allow
        shows '[Ss]igned in to test'
        shows 'ended with 0'
        fitting "$setting"
    done
done

#: A conflict: the account that exists, and the question.
provider google.com
works authctl signin --provider google.com
provider github.com
for setting in "${settings[@]}"; do
    on "$setting" 'authctl signin --provider github.com --flow browser'
    shows '\[y/N\]'
    shows 'google.com'
    fitting "$setting"
    presses C-d
    shows 'ended with 2'
done

#: A locked vault: the question for the passphrase, and without it the command that unlocks.
signed_in
(umask 077; echo 'correct horse' >right)
works authctl profile set --vault passphrase --passphrase-fd 3 3<right
works authctl profile lock
for setting in "${settings[@]}"; do
    on "$setting" 'authctl status --no-input'
    shows 'ended with 4'
    shows 'locked'
    shows 'authctl vault unlock'
    fitting "$setting"
    on "$setting" 'authctl token >/dev/null'
    shows 'Passphrase of'
    fitting "$setting"
    types 'correct horse'
    shows 'ended with 0'
    shows_not 'correct horse'
    works authctl profile lock
done
