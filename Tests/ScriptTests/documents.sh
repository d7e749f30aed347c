# The start of every story of a document. It has a private network if the kernel allows one, so that the document's ports
# are free; `play` starts emulators at the providers' real names.
python3 - <<'E' 2>/dev/null || true
import fcntl, socket, struct
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))
E
shopt -s extglob
# Files that the document does not mention are outside the story's directory.
hidden=$(dirname "$PWD")/hidden
mkdir "$hidden"
answers=()
last=0
# curl prints no progress, as on a terminal.
export CURL_HOME=$hidden GIT_CONFIG_NOSYSTEM=1
printf 'silent\nshow-error\n' >"$hidden/.curlrc"

# internet: starts a proxy for all programs of the story, which forwards requests to the hosts in the file `places`.
internet() {
    [ ! -e "$hidden/places" ] || return 0
    : >"$hidden/places"
    local names=DNS:github.com,DNS:*.github.com,DNS:ghcr.io,DNS:gitlab.com,DNS:*.example.com,DNS:example.com
    names+=,DNS:appleid.apple.com,DNS:login.microsoftonline.com,DNS:graph.microsoft.com,DNS:accounts.google.com
    names+=,DNS:*.googleapis.com,DNS:*.facebook.com,DNS:x.com,DNS:*.x.com,DNS:*.okta.com,DNS:*.eu.auth0.com
    names+=,DNS:*.spotify.com,DNS:api.anthropic.com,DNS:api.openai.com,DNS:auth.openai.com
    names+=,DNS:cognito-idp.eu-west-1.amazonaws.com,DNS:sts.amazonaws.com,DNS:sts.eu-central-1.amazonaws.com,DNS:*.actions.githubusercontent.com
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=internet \
        -keyout "$hidden/key.pem" -out "$hidden/authorities.pem" -addext "subjectAltName=$names" 2>/dev/null
    mkfifo "$hidden/port"
    python3 "$ROOT/Tests/Servers/internet.py" "$hidden/authorities.pem" "$hidden/key.pem" "$hidden/places" "$hidden/clients.pem" >"$hidden/port" &
    servers+=("$!")
    local port
    read -r port <"$hidden/port"
    export https_proxy=http://127.0.0.1:$port no_proxy=127.0.0.1,localhost,::1
    unset HTTPS_PROXY HTTP_PROXY http_proxy ALL_PROXY all_proxy NO_PROXY SSL_CERT_DIR
    export SSL_CERT_FILE=$hidden/authorities.pem CURL_CA_BUNDLE=$hidden/authorities.pem
    export GIT_SSL_CAINFO=$hidden/authorities.pem AWS_CA_BUNDLE=$hidden/authorities.pem
    export PROXY=$https_proxy BROWSER="curl -L -o /dev/null"
}

# registered NAME: creates a client certificate NAME.pem with its key, which every host trusts.
registered() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$1" -keyout "$1.key" -out "$1.pem" 2>/dev/null
    cat "$1.pem" >>"$hidden/clients.pem"
}

# place HOST[/PATH] URL: forwards requests to this host to the URL.
place() { echo "$1 $2" >>"$hidden/places"; }

# play PROVIDER [EMULATOR-FLAGS…]: starts an emulator of this provider at its real host names. `oidc URL` is an OpenID Provider
# at this URL.
play() {
    internet
    local as=$1 url places hosts=() fifo=$hidden/url.$RANDOM
    shift
    case $as in
        github.com) places="github.com api.github.com" ;;
        apple.com) places=appleid.apple.com ;;
        microsoft.com) places="login.microsoftonline.com graph.microsoft.com" ;;
        google.com) places="accounts.google.com oauth2.googleapis.com www.googleapis.com openidconnect.googleapis.com" ;;
        facebook.com) places="www.facebook.com graph.facebook.com" ;;
        twitter.com) places="x.com api.x.com" ;;
        firebase) places="identitytoolkit.googleapis.com securetoken.googleapis.com www.googleapis.com" ;;
        *) places=${1#https://} as=${as/#oidc/openid}; shift ;;
    esac
    for url in $places; do hosts+=(--accept-host "${url%%/*}"); done
    mkfifo "$fifo"
    emulators=$((emulators + 1))
    authctl-emulator --keys "$KEYS/$emulators" --as "$as" --url "https://${places%% *}" --auto-approve --neighbours "$hidden" "${hosts[@]}" "$@" \
        >"$fifo" 2>>"$hidden/emulator.log" &
    servers+=("$!")
    read -r EMULATOR_URL <"$fifo"
    for url in $places; do
        # The emulator of a project has each service below a path with the service's host name.
        case $as/$url in firebase/www.*) place "$url" "$EMULATOR_URL" ;; firebase/*) place "$url" "$EMULATOR_URL/$url" ;;
            *) place "$url" "$EMULATOR_URL" ;; esac
    done
}

# someone NAME: sets the user of the browser.
someone() {
    printf '#!/bin/sh\nexec curl -L -o /dev/null "$1&emulator_user=%s"\n' "$1" >"$hidden/browser"
    chmod +x "$hidden/browser"
    export BROWSER=$hidden/browser
}

# resource KIND HOST [ARGUMENTS…]: starts a server at HOST that requires a token in the file `accepted` (resources.py).
resource() {
    internet
    local fifo=$hidden/url.$RANDOM url kind=$1 host=$2
    shift 2
    mkfifo "$fifo"
    touch "$hidden/accepted"
    python3 "$ROOT/Tests/Servers/resources.py" "$kind" "$@" "$hidden/accepted" >"$fifo" &
    servers+=("$!")
    read -r url <"$fifo"
    place "$host" "$url"
}

# sdks ISSUER AUDIENCE: starts what SDKs exchange this issuer's ID tokens at (sdk_services.py), at the real host names; python3 has
# the SDKs.
sdks() {
    internet
    [ -x "$ROOT/.build/venv/bin/python" ] || { echo "no $ROOT/.build/venv: make servers" >&2; exit 1; }
    local fifo=$hidden/url.$RANDOM url place
    mkfifo "$fifo"
    "$ROOT/.build/venv/bin/python" "$ROOT/Tests/Servers/sdk_services.py" "$hidden/sdks" "$1" "$2" >"$fifo" 2>>"$hidden/sdks.log" &
    servers+=("$!")
    read -r url <"$fifo"
    for place in sts.eu-central-1.amazonaws.com/aws login.microsoftonline.com/azure sts.googleapis.com/google storage.googleapis.com/google \
        iamcredentials.googleapis.com/google api.anthropic.com/anthropic api.openai.com/openai auth.openai.com/openai; do
        place "${place%/*}" "$url/${place#*/}"
    done
    export PATH=$ROOT/.build/venv/bin:$PATH REQUESTS_CA_BUNDLE=$SSL_CERT_FILE AWS_EC2_METADATA_DISABLED=true
}

# repositories NAME…: bare repositories repos/NAME.git with one commit, for a server of their files; `source` is what they have.
repositories() {
    local name
    git init -q source
    echo hello >source/file
    git -C source add file
    git -C source -c user.name=Ada -c user.email=ada@example.com commit -qm first
    for name; do
        git clone -q --bare source "repos/$name.git"
        git -C "repos/$name.git" update-server-info
    done
}

# pattern TEXT: prints the text as a pattern: a line of … matches any lines, and … within a line matches any text.
pattern() {
    local line pattern= character
    while IFS= read -r line; do
        if [ "$line" = … ]; then pattern+=$'?(*\n)'; continue; fi
        for character in \\ '[' ']' '*' '?' '(' ')' '|' '!' '+' '@'; do line=${line//"$character"/\\$character}; done
        pattern+=${line//…/*([!$'\n'])}$'\n'
    done <<<"$1"
    printf %s "$pattern"
}

# shown PLACE COMMAND OUTPUT: runs a document's command in this shell. It must print OUTPUT, unless that is empty, and must
# fail if and only if OUTPUT contains an error.
shown() {
    local code=0 actual expected=ok
    if [ ${#answers[@]} = 0 ]; then
        eval "(exit $last)"$'\n'"$2" >"$hidden/shown" 2>&1 </dev/null || code=$?
    else
        python3 "$ROOT/Tests/Servers/terminal.py" "${answers[@]}" -- bash -c "stty cols 80 rows 24; $2" >"$hidden/shown" 2>&1 || code=$?
    fi
    last=$code
    # Normalises a terminal's output: line ends, rewritten lines and trailing blanks.
    actual=$(tr -d '\r' <"$hidden/shown" | sed -e 's/.*\x1b\[K//' -e 's/ *$//')
    if [ -n "${DOCUMENTS_SHOW:-}" ]; then printf '%s\n$ %s\n%s\n[%s]\n' "$1" "$2" "$actual" "$code" >>"$DOCUMENTS_SHOW"; fi
    case $3 in *"authctl: error:"* | *'"error": {'* | *'"error":{'*) expected=error ;; esac
    if { [ $expected = ok ] && [ "$code" != 0 ]; } || { [ $expected = error ] && [ "$code" = 0 ]; }; then
        printf 'FAILED: %s: exit %s from: %s\n%s\n' "$1" "$code" "$2" "$actual" >&2
        cat "$hidden"/*.log >&2 2>/dev/null || true
        exit 1
    fi
    [ -n "$3" ] || return 0
    local pattern
    pattern=$(pattern "$3"; echo .)
    # shellcheck disable=SC2053
    if [[ $actual$'\n' != ${pattern%.} ]]; then
        printf 'FAILED: %s: not what %s prints:\n%s\n--- but\n%s\n' "$1" "$2" "$3" "$actual" >&2
        exit 1
    fi
}

# workflow FILE: runs the steps of this workflow's job, each in a new shell, as a runner does. Installation steps are
# skipped.
workflow() {
    local line step=
    while IFS= read -r line; do
        if [ "$line" != -- ]; then step+=$line$'\n'; continue; fi
        case $step in "sudo apt install"*) ;; *)
            bash -eo pipefail -c "$step" >"$hidden/shown" 2>&1 </dev/null || {
                printf 'FAILED: %s: %s\n' "$1" "$step" >&2
                cat "$hidden/shown" >&2
                exit 1
            } ;;
        esac
        step=
    done < <(/usr/bin/python3 "$ROOT/Tests/Servers/workflow.py" "$1"; echo --)
}
