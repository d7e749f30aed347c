# A key encrypted with a passphrase: what unlocks it, and what is reported otherwise.

file=$HOME/.config/authctl/key.wrapped

# sealed: a signed-in user, and a key encrypted with the passphrase in the file `right`.
sealed() {
    signed_in
    (umask 077; echo 'correct horse' >right; echo 'wrong horse' >wrong)
    printf '%s\n' 'correct horse' 'wrong horse' >>secrets
    export AUTHCTL_PASSPHRASE_FILE=$PWD/right
    works authctl profile set --vault passphrase
}

# rewritten FROM TO: changes parameters in the file and corrects its checksum, as an attacker would.
rewritten() {
    python3 - "$file" "$1" "$2" <<'P'
import base64, hashlib, sys
path, old, new = sys.argv[1:]
body = open(path).read().rstrip("\n").rpartition("$")[0]
assert old in body
body = body.replace(old, new, 1)
check = base64.urlsafe_b64encode(hashlib.sha256(body.encode()).digest()).decode().rstrip("=")
open(path, "w").write(f"{body}${check}\n")
P
}

#: The key file is replaced by a wrapped key, which only the passphrase decrypts.
sealed
err 'the sessions are encrypted with a passphrase-encrypted key, locked'
[ ! -e "$HOME/.config/authctl/key" ] || fail "the key is still in its file"
[ "$(stat -c %a "$file")" = 600 ] || fail "others can read the wrapped key"
wc -lc <"$file" | awk '{ exit !($1 == 1 && $2 < 1024) }' || fail "the wrapped key is no short line"
works authctl token
cp stdout token
export AUTHCTL_PASSPHRASE_FILE=$PWD/wrong
exits 65 authctl token --json
failed 'e["code"] == "wrong-passphrase"'
exits 65 authctl profile unlock
exits 65 authctl profile set --vault file
export AUTHCTL_PASSPHRASE_FILE=$PWD/right
works authctl token
cmp token stdout
works authctl profile set --vault file
[ ! -e "$file" ] || fail "the wrapped key is still there"
works authctl token
cmp token stdout

#: Reports a changed or truncated file as damaged with every passphrase, and leaves it unchanged.
sealed
cp "$file" whole
for place in 0 11 13 22 27 30 45 80 140 $(($(wc -c <whole) - 1)); do
    python3 - "$file" $place <<'P'
import sys
path, place = sys.argv[1], int(sys.argv[2])
bytes = bytearray(open(path, "rb").read())
bytes[place] ^= 1
open(path, "wb").write(bytes)
P
    cp "$file" flipped
    for passphrase in right wrong; do
        AUTHCTL_PASSPHRASE_FILE=$PWD/$passphrase exits 74 authctl token --json
        failed 'e["code"] == "vault-unavailable" and e["reason"] == "damaged"'
    done
    cmp "$file" flipped
    cat whole >"$file"
done
for length in 0 1 40 $(($(wc -c <whole) - 1)); do
    head -c $length whole >"$file"
    exits 74 authctl token --json
    failed 'e["reason"] == "damaged"'
done
cat whole >"$file"
works authctl token
rm "$file"
exits 74 authctl token --json
failed 'e["reason"] == "missing"'
exits 74 authctl signin --provider oidc.test --json
[ ! -e "$file" ] && [ ! -e "$HOME/.config/authctl/key" ] || fail "another key was made"

#: Refuses scrypt parameters that require a gigabyte or a minute, without using them.
sealed
cp "$file" whole
for cost in '1048576$8$1' '1048576$8$16' '65536$8$4096' '2$4194304$1' '18446744073709551615$8$1' '9223372036854775808$8$1'; do
    cat whole >"$file"
    rewritten '$131072$8$1$' "\$$cost\$"
    exits 74 measured authctl token --json
    failed 'e["reason"] == "damaged" and "memory or time" in e["message"]'
    read -r peak spent <measured
    [ "$peak" -lt 65536 ] || fail "$peak KB for $cost"
    [ "$spent" -lt 1000 ] || fail "$spent ms of a processor for $cost"
done

#: Refuses a file that other users can read, or a link, before it asks for a passphrase.
sealed
chmod 640 "$file"
exits 74 authctl token
err "hint: chmod 600 $file"
chmod 600 "$file"
mv "$file" elsewhere
ln -s "$PWD/elsewhere" "$file"
exits 74 authctl token
err "'$file' is a link"

#: Repeating --vault passphrase sets a new passphrase and changes nothing else.
sealed
works authctl token
cp stdout token
(umask 077; echo 'another horse' >new)
exec 3<new
works authctl profile set --vault passphrase --passphrase-fd 3
exec 3<&-
exits 65 authctl token
AUTHCTL_PASSPHRASE_FILE=$PWD/new works authctl token
cmp token stdout
