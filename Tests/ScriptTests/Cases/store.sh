# Only this user can read the store, and an unsuitable store is refused with the command that fixes it.
umask 000
signed_in
d=$HOME/.config/authctl
[ "$(stat -c %a "$d" "$d/authctl.db" "$d/key" "$d/config.yaml" "$d/locks" | tr '\n' ' ')" = '700 600 600 600 700 ' ] || fail "modes"

for file in key authctl.db; do
    chmod 644 "$d/$file"
    exits 74 authctl token
    err "hint: chmod 600 $d/$file"
    chmod 600 "$d/$file"
    works authctl token
done
chmod 777 "$d"; exits 74 authctl token; err "hint: chmod 700"; chmod 700 "$d"
chmod 755 "$d"; chmod 644 "$d/config.yaml"
works authctl token
works authctl providers list
[ "$(stat -c %a "$d" "$d/config.yaml" | tr '\n' ' ')" = '755 644 ' ] || fail "a command that reads changed a mode"
works authctl providers set oidc.test --scope openid
err 'its mode is now 0700'
[ "$(stat -c %a "$d" "$d/config.yaml" | tr '\n' ' ')" = '700 600 ' ] || fail "a command that writes left a mode"
chmod 666 "$d/config.yaml"; exits 74 authctl providers list; chmod 600 "$d/config.yaml"

for file in key authctl.db config.yaml; do
    mv "$d/$file" aside; ln -s "$PWD/aside" "$d/$file"
    exits 74 authctl signin --provider oidc.test; err "$file' is a link"
    err "hint: to use a copy of it: cp -p $d/$file $d/$file.copy && mv $d/$file.copy $d/$file$"
    rm "$d/$file"; mkfifo -m 600 "$d/$file"
    exits 74 authctl signin --provider oidc.test
    rm "$d/$file"; mv aside "$d/$file"
done
mv "$d" real; ln -s "$PWD/real" "$d"; exits 74 authctl token; rm "$d"; mv real "$d"

# A damaged, emptied or newer database, and a lost key, are refused and left as they are.
cp -a "$d" saved
refused() { exits 74 authctl token; err "$1"; cmp "$2" "$d/authctl.db"; rm -rf "$d"; cp -a saved "$d"; }
head -c 5000 /dev/urandom >"$d/authctl.db"; cp "$d/authctl.db" copy; refused damaged copy
: >"$d/authctl.db"; : >copy; refused 'it is empty' copy
python3 -c "import sqlite3; sqlite3.connect('$d/authctl.db').execute('PRAGMA user_version = 99')"; cp "$d/authctl.db" copy; refused 'newer version of authctl' copy
rm "$d/key"; cp "$d/authctl.db" copy; refused 'the key' copy
head -c 32 /dev/urandom | basenc --base64url | tr -d =  >"$d/key"; chmod 600 "$d/key"; cp "$d/authctl.db" copy; refused 'the key' copy
works authctl token

# If one secret cannot be decrypted, the others can still be used.
session_set tokens.accessToken 'hex(zeroblob(60))'
exits 74 authctl token
works authctl whoami
works authctl signin --provider oidc.test
works authctl token

# Invalid home directories.
works env -u HOME AUTHCTL_CONFIG_DIR="$d" "$BIN/authctl" token
exits 4 env XDG_CONFIG_HOME=relative HOME="$PWD/empty" "$BIN/authctl" token
for name in ../x . '' a/b .hidden "$(printf 'a%.0s' $(seq 300))"; do
    [ -z "$name" ] || exits 64 authctl token --profile "$name"
done
