# Sourced at the start of every story. A story runs in a new directory with an empty home, stops every process that it
# started, and fails at the first command that fails.
set -eEuo pipefail
# Prints the command that failed.
trap 'echo "FAILED: exit $? from: $BASH_COMMAND" >&2' ERR

export HOME=$PWD/home
mkdir -p "$HOME"
unset CI NO_COLOR XDG_CONFIG_HOME AUTHCTL_CONFIG_DIR AUTHCTL_PROFILE AUTHCTL_ACCOUNT AUTHCTL_SOCKET DISPLAY WAYLAND_DISPLAY BROWSER
# Ignores the system configuration of this machine. A story can create one in this directory.
export AUTHCTL_SYSTEM_CONFIG_DIR=$PWD/organization
# nginx is in /usr/sbin, which is not in every user's PATH.
export PATH=$BIN:$PATH:/usr/sbin
# The longest time that a story waits for an event, in seconds. It is long enough for a loaded machine.
export PATIENCE=300
servers=()
emulators=0
: >printed

finish() {
    local code=$?
    for server in "${servers[@]}"; do
        if [ -d "$server" ]; then python3 "$ROOT/Tests/Servers/glewlwyd_server.py" stop "$server"; else kill "$server" 2>/dev/null && kill -CONT "$server" 2>/dev/null && wait "$server" || true; fi
    done
    if [ $code = 0 ] && [ -s secrets ] && grep -qF -f secrets printed; then
        echo "FAILED: a secret was printed:" >&2
        grep -F -f secrets printed >&2
        exit 1
    fi
}
trap finish EXIT

# record COMMAND…: adds the output of a command, in the files stdout and stderr, to the file `printed`. The output of commands
# that print tokens is left out. The file `secrets` has every secret that an emulator received or sent, and none may be in
# `printed`. JSON output is checked against its schema.
record() { record_files stdout stderr "$@"; }
# record_files OUT ERR COMMAND…: like record, with the output in other files.
record_files() {
    local out=$1 err=$2
    shift 2
    case " $* " in *authctl*) ;; *) return ;; esac
    append "$err"
    case " $* " in *" --json "* | *" --begin "*) printf '%s\x1f%s\x1f%s\x1e' "$*" "$(<"$out")" "$(tail -n 1 "$err")" >>../json ;; esac
    case " $* " in *" token"* | *" exec "* | *credential* | *--with-secrets*) ;; *) append "$out" ;; esac
}
# append FILE: appends a file to `printed`. It does not start a process, because stories call it thousands of times.
append() { local lines; mapfile lines <"$1"; printf %s "${lines[@]}" >>printed; }

fail() { echo "FAILED: $*" >&2; echo "--- stdout"; cat stdout 2>/dev/null; echo "--- stderr"; cat stderr 2>/dev/null; exit 1; }

# works COMMAND…: the command must exit 0; its output is in the files stdout and stderr.
works() {
    "$@" >stdout 2>stderr </dev/null || fail "exit $? from: $*"
    record "$@"
}

# exits CODE COMMAND…: the command must exit with this code.
exits() {
    local expected=$1 code=0
    shift
    "$@" >stdout 2>stderr </dev/null || code=$?
    [ $code = "$expected" ] || fail "exit $code, not $expected, from: $*"
    record "$@"
}

out() { grep -qE -- "$1" stdout || fail "standard output lacks /$1/"; }
err() { grep -qE -- "$1" stderr || fail "standard error lacks /$1/"; }
no_out() { ! grep -qE -- "$1" stdout || fail "standard output has /$1/"; }
no_err() { ! grep -qE -- "$1" stderr || fail "standard error has /$1/"; }

# json EXPRESSION: checks a Python expression over d, the JSON on standard output.
json() { python3 -IS -c "import json,sys; d=json.load(open('stdout')); sys.exit(0 if ($1) else 1)" || fail "not true of standard output: $1"; }

# firebase: starts a Firebase project as the account directory of the profile, once. It is called at the start of a story if
# DIRECTORY is firebase.
firebase() {
    [ ! -e firebase.url ] || return 0
    mkfifo firebase.url
    authctl-emulator --as firebase --keys "$KEYS/firebase" --record "$PWD/secrets" --neighbours "$PWD" ${FIREBASE_FLAGS:-} >firebase.url 2>firebase.log &
    servers+=("$!")
    local url
    read -r url <firebase.url
    export FIREBASE_AUTH_EMULATOR_HOST=${url#http://}
    works authctl profile set --directory firebase --api-key test-key --project-id demo-project \
        --redirect-uri "http://localhost:$(free_port)/callback"
}

# several_accounts_per_email: allows several accounts with the same email address, in the profile or in the project.
several_accounts_per_email() {
    if [ "$DIRECTORY" = local ]; then works authctl profile set --one-account-per-email off; return; fi
    curl -sSf -o /dev/null -X PATCH -H 'Content-Type: application/json' -d '{"signIn":{"allowDuplicateEmails":true}}' \
        "http://$FIREBASE_AUTH_EMULATOR_HOST/emulator/v1/projects/demo-project/config"
}

# emulator FLAGS…: starts the emulator, and sets ISSUER to its URL and BROWSER to a program that follows redirects. Stories
# share signing keys, because generating a key is slow; the emulators of one story have different keys.
emulator() {
    rm -f emulator.url && mkfifo emulator.url
    emulators=$((emulators + 1))
    authctl-emulator --auto-approve --keys "$KEYS/$emulators" --record "$PWD/secrets" --neighbours "$PWD" "$@" >emulator.url 2>emulator.log &
    EMULATOR=$!
    servers+=("$EMULATOR")
    read -r ISSUER <emulator.url
    export BROWSER="curl -sS -L -o /dev/null"
}

# signed_in FLAGS…: starts an emulator with these flags, adds its provider as oidc.test, and signs in.
signed_in() {
    emulator "$@"
    works authctl providers add oidc.test --issuer "$ISSUER" --client-id emulator-client
    works authctl signin --provider oidc.test
}

# github_job [FLAGS…]: starts an emulator of GitHub Actions, and sets the environment of a job that gets its ID tokens.
github_job() {
    emulator --as github-actions --user octo-org/octo-repo "$@"
    in_github_job
}
# github_job_and_server FLAGS…: like github_job, and starts an authorization server SERVER that accepts the job's ID tokens.
github_job_and_server() {
    rm -f urls && mkfifo urls
    emulators=$((emulators + 1))
    authctl-emulator --keys "$KEYS/$emulators" --record "$PWD/secrets" --as openid --as github-actions --user octo-org/octo-repo "$@" >urls 2>emulator.log &
    servers+=("$!")
    { read -r _ SERVER; read -r _ ISSUER; } <urls
    in_github_job
}
# in_github_job: sets the environment of a GitHub Actions job that gets its ID tokens from the emulator at ISSUER.
in_github_job() {
    export CI=true GITHUB_ACTIONS=true GITHUB_SERVER_URL=$ISSUER GITHUB_REPOSITORY_OWNER=octo-org
    export ACTIONS_ID_TOKEN_REQUEST_URL="$ISSUER/actions/token?api-version=2.0" ACTIONS_ID_TOKEN_REQUEST_TOKEN=request-token
}

# secret_file TEXT [FILE]: writes a secret to a file (default: secret) that only this user can read.
secret_file() { (umask 077 && printf '%s\n' "$1" >"${2:-secret}"); }

# provider ID [EMULATOR-FLAGS…] [-- ADD-FLAGS…]: starts an emulator of this provider, and adds it with a client secret.
provider() {
    local id=$1 flags=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do flags+=("$1"); shift; done
    [ $# = 0 ] || shift
    emulator --as "$id" --client-id client-1 --client-secret client-secret-1 "${flags[@]}"
    secret_file client-secret-1
    works authctl providers add "$id" --replace --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret" "$@"
}

# public_client ID [EMULATOR-FLAGS…] [-- ADD-FLAGS…]: like provider, without a client secret.
public_client() {
    local id=$1 flags=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do flags+=("$1"); shift; done
    [ $# = 0 ] || shift
    emulator --as "$id" --client-id client-1 "${flags[@]}"
    works authctl providers add "$id" --replace --base-url "$ISSUER" --client-id client-1 "$@"
}

# free_port: prints an unused port, for servers that require a number. It is below the kernel's ephemeral ports, and has an
# entry in PORTS, so that no other connection, server or story uses it first.
free_port() {
    local first port name used other
    read -r first _ </proc/sys/net/ipv4/ip_local_port_range
    [ "$first" -gt 12000 ] || first=65536
    read -rd '' used </proc/net/tcp || true
    read -rd '' other </proc/net/tcp6 || true
    while :; do
        port=$((10000 + SRANDOM % (first - 10000)))
        printf -v name ':%04X ' $port
        [[ $used$other == *"$name"* ]] || ! mkdir "$PORTS/$port" 2>/dev/null || break
    done
    echo $port
}

# url FLAGS…: writes the authorization URL of a sign-in with these flags to the file url, and decoded to url.decoded.
url() {
    authctl signin --flow paste "$@" >stdout 2>stderr </dev/null || true
    # Only lines that contain just a URL: the redirect URI is part of a sentence.
    grep -oE '^ +https?://[^ ]+' stderr | head -n 1 | tr -d ' ' >url || fail "no URL"
    python3 -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.stdin.read()))' <url >url.decoded
}

# requests NAME [URL]: prints the number of requests with this name that the emulator, or the one at URL, received. If it does
# not respond, prints a word, which is not equal to any number.
requests() {
    local counted
    counted=$(curl -sSf "${2:-$ISSUER}/emulator/requests") || { echo unreachable; return; }
    if [[ $counted =~ "\"$1\":"([0-9]+) ]]; then echo "${BASH_REMATCH[1]}"; else echo 0; fi
}

# all_requests [URL]: prints the number of all requests that the emulator, or the one at URL, received.
all_requests() {
    local counted sum=0
    counted=$(curl -sSf "${1:-$ISSUER}/emulator/requests") || { echo unreachable; return; }
    while [[ $counted =~ \":([0-9]+)(.*) ]]; do sum=$((sum + BASH_REMATCH[1])) counted=${BASH_REMATCH[2]}; done
    echo $sum
}

# server NAME: starts a real provider (glewlwyd or canaille) and sets ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_PORT.
server() {
    local python=python3
    [ "$1" = glewlwyd ] || python=$ROOT/.build/venv/bin/python
    mkdir server
    servers+=("$PWD/server")
    "$python" "$ROOT/Tests/Servers/$1_server.py" start "$PWD/server" >server.log 2>&1 || { cat server.log; fail "$1 did not start"; }
    . server/env
    export BROWSER="python3 $ROOT/Tests/Servers/person.py" PERSON_LOG=$PWD/person.log
}

# measured COMMAND…: runs a command, and writes its peak memory (KB) and its processor time (ms) to the file measured.
measured() {
    python3 -c 'import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss, int(1000 * (used.ru_utime + used.ru_stime)), file=open("measured", "w"))
sys.exit(code)' "$@"
}

# pause SECONDS: waits without a process of its own. NEVER is a pipe that nothing is written to.
pause() { read -rt "$1" <>"$NEVER" || true; }

# awaits FILE PATTERN: waits until a background process has written the pattern to the file, and prints the first match. An
# existing file must be emptied before that process starts.
awaits() {
    local last=$((EPOCHSECONDS + PATIENCE))
    until [ -e "$1" ] && grep -oE -m 1 -- "$2" "$1"; do
        [ "$EPOCHSECONDS" -lt $last ] || { cat "$1" >&2; fail "$1 never had /$2/"; }
        pause 0.02
    done
}

# signs_in_by_paste PATTERN [OPTIONS…]: starts a sign-in that reads what is pasted from descriptor 3. Sets `signin` to its process,
# and `url` to the URL that matches the pattern.
signs_in_by_paste() {
    local pattern=$1
    shift
    mkfifo paste
    rm stderr
    authctl signin --flow paste "$@" <paste >stdout 2>stderr &
    signin=$!
    exec 3>paste
    url=$(awaits stderr "$pattern")
}

# certificate: creates cert.pem and key.pem, for localhost.
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 \
        -subj /CN=localhost -addext subjectAltName=DNS:localhost >openssl.log 2>&1
}

# serves_site [FLAGS…]: starts a TLS server for the files in site, with cert.pem and key.pem; sets PORT.
serves_site() {
    rm -f serving
    (cd site && exec openssl s_server -accept 127.0.0.1:0 -cert ../cert.pem -key ../key.pem -WWW "$@" >../serving 2>&1) &
    servers+=($!)
    PORT=$(awaits serving '^ACCEPT .*:[0-9]+$' | grep -oE '[0-9]+$')
}

# next_second: waits for the clock's next second, for servers that issue identical tokens within a second.
next_second() { local now=$EPOCHSECONDS; while [ "$EPOCHSECONDS" = "$now" ]; do pause 0.05; done; }

# older SECONDS: moves the time of every authentication back by this number of seconds.
older() { session_set lastProvenAt "old - $1"; }

# session_set NAME VALUE [WHERE]: changes a field of the stored sessions. VALUE is an SQL expression, in which `old` is the
# previous value.
session_set() {
    python3 - "$HOME/.config/authctl/authctl.db" "$1" "$2" "${3:-1}" <<'P'
import sqlite3, sys
path, name, value, where = sys.argv[1:]
old = f"json_extract(details, '$.{name}')"
with sqlite3.connect(path) as db:
    db.execute(f"UPDATE session SET details = json_set(details, '$.{name}', {value.replace('old', old)}) WHERE {where}")
P
}

# field EXPRESSION: prints a Python expression over d, the JSON on standard output.
field() { python3 -IS -c "import json; d=json.load(open('stdout')); print($1)"; }

# failed EXPRESSION: checks a Python expression over e, the error object at the end of standard error.
failed() { python3 -IS -c "import json,sys; e=json.loads(open('stderr').read().splitlines()[-1])['error']; sys.exit(0 if ($1) else 1)" || fail "not true of the error: $1"; }

[ "${DIRECTORY:-local}" = local ] || firebase
