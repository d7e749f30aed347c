# The recording and the picture of the first minute, which the README begins with.
. "$ROOT/Tests/ScriptTests/documents.sh"

#: The recording shows what the program prints (make recording updates it).
play github.com --client-id Ov23liEXAMPLE
python3 "$ROOT/Tests/Recording/record.py" new.cast
python3 "$ROOT/Tests/Recording/record.py" --text new.cast >now
python3 "$ROOT/Tests/Recording/record.py" --text "$ROOT/docs/first-minute.cast" >then
diff then now || fail "docs/first-minute.cast is old"

#: The picture was made from that recording, and is smaller than 150 kB.
python3 "$ROOT/Tests/Recording/record.py" --text "$ROOT/docs/first-minute.cast" >then
grep -qaF "$(sha256sum <then | cut -d ' ' -f 1)" "$ROOT/docs/first-minute.png" || fail "docs/first-minute.png is old"
[ "$(stat -c %s "$ROOT/docs/first-minute.png")" -lt 150000 ] || fail "docs/first-minute.png is too big"
