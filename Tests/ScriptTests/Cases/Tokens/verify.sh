# `verify` checks one token, or one a line, against an issuer or given keys.
signed_in --port "$(free_port)"
authctl token --type id >good
curl -sS "$ISSUER/jwks" >jwks.json
works authctl verify good --issuer "$ISSUER" --audience emulator-client
works authctl verify good --jwks jwks.json --signature-only
json "d['sub'] == 'ada@example.com'"
works authctl verify good --jwks jwks.json --issuer "$ISSUER" --audience emulator-client
exits 65 authctl verify good --issuer "$ISSUER" --audience another
cat good good >two
exits 65 authctl verify two --issuer "$ISSUER" --audience emulator-client
err "'two' has several lines, and a file has one token .invalid-id-token"
err 'hint: to verify one token on each line, pass - and the file as standard input$'
sed 's/.$/A/; s/..$/AA/' good >bad
exits 65 authctl verify bad --issuer "$ISSUER" --audience emulator-client
err 'invalid-id-token'
{ cat good; echo; echo nonsense; cat bad; cat good; } >many
code=0
authctl verify - --issuer "$ISSUER" --audience emulator-client <many >stdout 2>stderr || code=$?
[ $code = 65 ] || fail "exit $code"
record authctl verify - --json
python3 - <<'P'
import json
lines = [json.loads(line) for line in open('stdout')]
assert [line['valid'] for line in lines] == [True, False, False, False, True], lines
assert lines[0]['claims']['aud'] == 'emulator-client' and lines[1]['error']['code'] == 'invalid-id-token'
P
# The results of thousands of tokens are in order, even if the last line has no newline.
python3 - <<'P'
good, bad = open("good").read().strip(), open("bad").read().strip()
open("thousands", "w").write("\r\n".join(bad if n % 7 == 3 else "" if n % 11 == 5 else good for n in range(3000)))
P
code=0
cat thousands | authctl verify - --jwks jwks.json --issuer "$ISSUER" --audience emulator-client >stdout 2>stderr || code=$?
[ $code = 65 ] || fail "exit $code"
python3 - <<'P'
import json
valid = [json.loads(line)["valid"] for line in open("stdout")]
assert valid == [n % 7 != 3 and n % 11 != 5 for n in range(3000)], len(valid)
P
# The results are the same on one core.
cp stdout answers
code=0
taskset -c "$(awk '/^Cpus_allowed_list:/ {split($2, first, /[-,]/); print first[1]}' /proc/self/status)" \
    authctl verify - --jwks jwks.json --issuer "$ISSUER" --audience emulator-client <thousands >stdout 2>stderr || code=$?
[ $code = 65 ] && cmp -s stdout answers || fail "exit $code, or other answers on one core"
# A key that is not cached yet is fetched once, even in the middle of a stream.
kill "$EMULATOR"
wait "$EMULATOR" || true
rm emulator.url && mkfifo emulator.url
authctl-emulator --auto-approve --port "${ISSUER##*:}" >emulator.url &
servers+=($!)
read -r again <emulator.url
[ "$again" = "$ISSUER" ] || fail "elsewhere"
curl -sS "$ISSUER/emulator/id-token" >new
python3 -c 'good, new = open("good").read().strip(), open("new").read().strip(); print("\n".join([good] * 40 + [new] * 100))' >thousands
before=$(requests jwks)
code=0
authctl verify - --issuer "$ISSUER" --audience emulator-client <thousands >stdout 2>stderr || code=$?
[ $code = 65 ] || fail "exit $code"
[ "$(grep -c '"valid":true' stdout)" = 100 ] && [ "$(wc -l <stdout)" = 140 ] || fail "the new key"
[ "$(requests jwks)" = $((before + 1)) ] || fail "asked more than once"

# Input without a token is never a success: no line, an empty one, one of spaces, an empty file.
nothing() {
    local lines=$1 code=0 expected=(--issuer "$ISSUER" --audience emulator-client)
    shift
    [[ $* != *--signature-only* ]] || expected=()
    authctl verify "$@" --jwks jwks.json "${expected[@]}" >stdout 2>stderr || code=$?
    [ $code = 65 ] || fail "exit $code, not 65, for nothing"
    record authctl verify "$@" --json
    [ "$(wc -l <stdout)" = "$lines" ] && ! grep -q '"valid":true' stdout || fail "not $lines results"
    [ "$lines" != 0 ] || err 'verification failed: no token found in .*'
}
printf '' | nothing 0 -
printf '' | nothing 0 - --signature-only
printf '' | nothing 0 - --json
printf '\n' | nothing 1 -
printf '\r\n\n' | nothing 2 -
printf '  \n' | nothing 1 - --signature-only
printf ' \t' | nothing 1 -
{ authctl token --account nobody@example.com --type id 2>/dev/null || true; } | nothing 0 -
printf '' >empty
printf ' \n\n' >spaces
for file in empty spaces /dev/null; do
    nothing 0 "$file"
    nothing 0 "$file" --signature-only
    nothing 0 "$file" --json
done
code=0
{ cat good; echo; } | authctl verify - --jwks jwks.json --issuer "$ISSUER" --audience emulator-client >stdout 2>stderr || code=$?
[ $code = 65 ] && [ "$(grep -c '^{"valid":true' stdout)" = 1 ] && [ "$(wc -l <stdout)" = 2 ] || fail "an empty line behind a good one"
exits 64 authctl verify good
exits 64 authctl verify good --issuer "$ISSUER"
exits 65 authctl verify good --jwks good --signature-only

# Published vectors: RFC 7520, and Wycheproof's rightly labelled signatures and keys.
python3 - "$ROOT/Tests/Vectors" <<'P'
import glob, json, subprocess, sys

def verify(keys, tokens):
    """The results of the tokens, in order."""
    if not tokens: return []
    json.dump({"keys": keys}, open("keys.json", "w"))
    run = subprocess.run(["authctl", "verify", "-", "--jwks", "keys.json", "--signature-only"],
                         input="\n".join(tokens) + "\n", capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    if not lines: return [False] * len(tokens)
    assert len(lines) == len(tokens), (len(lines), len(tokens), run.stderr)
    return [line["valid"] for line in lines]

count = 0
for name in sorted(glob.glob(sys.argv[1] + "/rfc7520/*.json")):
    example = json.load(open(name))
    if "compact" not in example["output"]: continue
    key = example["input"]["key"]
    if isinstance(key, list): continue
    public = {k: v for k, v in key.items() if k in ("kty", "n", "e", "crv", "x", "y", "kid", "alg")}
    compact = example["output"]["compact"]
    # Detached content and HMAC are not for this verifier.
    expected = key["kty"] != "oct" and ".." not in compact
    assert verify([public if key["kty"] != "oct" else key], [compact]) == [expected], name
    count += 1
assert count >= 5, count

mislabelled = {367, 370, 372, 373, 346, 347, 350, 351}
data, count, wrong = json.load(open(sys.argv[1] + "/wycheproof/json_web_signature_test.json")), 0, []
for group in data["testGroups"]:
    key = group.get("public") or group["private"]
    tests = [t for t in group["tests"] if t["tcId"] not in mislabelled]
    lines = [t["jws"] if isinstance(t["jws"], str) else json.dumps(t["jws"]) for t in tests]
    for t, valid in zip(tests, verify([key], [line.replace("\n", " ") or "." for line in lines])):
        count += 1
        if valid != (t["result"] == "valid" and key["kty"] != "oct"): wrong.append((t["tcId"], t["comment"], t["result"]))
assert not wrong, wrong
assert count == 393, count
data, wrong = json.load(open(sys.argv[1] + "/wycheproof/json_web_key_test.json")), []
for group in data["testGroups"]:
    keys = (group.get("public") or group["private"])["keys"]
    for t in group["tests"]:
        [valid] = verify(keys, [t["jws"]])
        # No HMAC is accepted. tcId 7 is a key that only its prime factors betray.
        expected = t["result"] == "valid" and keys[0]["kty"] != "oct"
        if valid != expected and t["tcId"] != 7: wrong.append((t["tcId"], t["comment"]))
assert not wrong, wrong
P

# Options that would have no effect are refused.
exits 64 authctl verify good --jwks jwks.json --signature-only --audience my-api
err '^authctl: error: --audience and --type cannot be used with --signature-only'
exits 64 authctl verify good --jwks jwks.json --signature-only --issuer https://id.example.com

# An access token is not accepted as an ID token, nor the other way round.
signed_in --jwt-access-tokens --user grace@example.com
authctl token >access
authctl token --type id >id
exits 65 authctl verify access --issuer "$ISSUER" --audience "$ISSUER"
err "invalid token: its type is 'at[+]jwt'"
err 'hint: it is an access token: add --type access$'
works authctl verify access --type access --issuer "$ISSUER" --audience "$ISSUER"
json "d['scope'] == 'openid profile email'"
authctl verify - --type access --issuer "$ISSUER" --audience "$ISSUER" <access >stdout || fail "exit $?"
json "d['valid'] and d['claims']['iss'] == '$ISSUER'"
exits 65 authctl verify access --type access --issuer "$ISSUER" --audience another
exits 65 authctl verify id --type access --issuer "$ISSUER" --audience emulator-client
exits 64 authctl verify access --type access --signature-only --issuer "$ISSUER"
