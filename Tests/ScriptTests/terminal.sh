# A real terminal, drawn by tmux. The stories read its screen.

export TERM=xterm-256color LC_ALL=C.UTF-8
terminals=0

# terminal COLUMNS LINES COMMAND: runs it in a terminal of this size, in a shell that prints its exit code.
terminal() {
    SOCKET=$PWD/tmux.$((++terminals))
    tmux -S "$SOCKET" -f /dev/null new-session -d -x "$1" -y "$2" "bash -c 'trap : INT; $3; echo \"ended with \$?\"; stty -a | grep -oE -- \"-?echo \"; exec cat'"
    servers+=("$(tmux -S "$SOCKET" display-message -p '#{pid}')")
}

screen() {
    tmux -S "$SOCKET" capture-pane -p -J >screen
    cat screen >>printed
}

# shows PATTERN: waits until the screen shows the pattern.
shows() {
    local last=$((EPOCHSECONDS + PATIENCE))
    until screen && grep -qE -- "$1" screen; do
        [ "$EPOCHSECONDS" -lt $last ] || { cat screen; fail "the screen never showed /$1/"; }
        pause 0.05
    done
}
shows_not() { screen; ! grep -qE -- "$1" screen || { cat screen; fail "the screen shows /$1/"; }; }
types() { tmux -S "$SOCKET" send-keys -l "$1"; tmux -S "$SOCKET" send-keys Enter; }
presses() { tmux -S "$SOCKET" send-keys "$1"; }

# fits COLUMNS COMMAND: no line of the output wraps in a terminal of that width.
fits() {
    terminal "$1" 24 "$2"
    shows 'ended with 0'
    tmux -S "$SOCKET" capture-pane -p | sed '/ended with/,$d; s/ *$//' >unjoined
    sed '/ended with/,$d; s/ *$//' screen | cmp - unjoined || { cat unjoined; fail "a line of '$2' breaks at $1 columns"; }
}

# person FLAGS…: starts an emulator that waits for the user's decision, with a browser without a user.
person() {
    rm -f emulator.url && mkfifo emulator.url
    emulators=$((emulators + 1))
    authctl-emulator --keys "$KEYS/$emulators" --record "$PWD/secrets" "$@" >emulator.url 2>emulator.log &
    servers+=("$!")
    read -r ISSUER <emulator.url
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
    export BROWSER=true
}

# decides CODE allow|deny: submits the user's decision on the other device.
decides() { curl -sS -o /dev/null -d "user_code=$1&decision=$2" "$ISSUER/emulator/device"; }

code() { grep -oE '^(  Enter  )?[A-Z]{4}-[A-Z]{4}' screen | grep -oE '[A-Z]{4}-[A-Z]{4}'; }
