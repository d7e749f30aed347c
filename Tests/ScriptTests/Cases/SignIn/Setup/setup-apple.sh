# Setup of Apple, which requires a public redirect URI and its port, a team, a key and its file.
. "$ROOT/Tests/ScriptTests/setup.sh"
. "$ROOT/Tests/ScriptTests/apple.sh"
emulator --as apple.com --client-id com.example.signin --client-key AuthKey.p8 --team-id TEAM123456 --key-id KEY1234567 \
    --redirect-uri "$callback"

#: Asks for each value, again if it is invalid, and tests the key with Apple.
reverse_proxy
openssl genrsa -out rsa.pem 2048 2>/dev/null
person 0 'Services ID: =com.example.signin' 'Return URL: =http://localhost/callback' 'a public https URL' \
    "Return URL: =$callback" "tunnel, or 'paste' to paste callback URLs [paste]: =0" 'a port must be a number' "[paste]: =$port" \
    'Team ID: =TEAM' 'ten letters and digits' 'Team ID: =TEAM123456' 'Key ID: =KEY1234567' \
    'Path of the .p8 file: =nowhere.p8' 'cannot be read' 'Path of the .p8 file: =rsa.pem' 'it is not a P-256 key' 'Path of the .p8 file: =AuthKey.p8' \
    -- authctl setup apple --base-url "$ISSUER"
out "[Ss]igned in to apple.com as .*"
grep -q "private_key: $PWD/AuthKey.p8" "$config/config.yaml" || fail "the path is not the whole one"

#: Stores nothing if Apple rejects the team, or if the user cancels at any prompt.
answers=('Services ID: =com.example.signin' "Return URL: =$callback" '[paste]: =' 'Team ID: =TEAM654321' 'Key ID: =KEY1234567'
    'Path of the .p8 file: =AuthKey.p8')
person 2 "${answers[@]}" 'rejects this client: invalid_client' 'Services ID: =^D' -- authctl setup apple.com --base-url "$ISSUER"
nothing
for count in 1 2 3 4 5 6; do
    person 2 "${answers[@]:0:count-1}" "${answers[count-1]%%=*}=^D" -- authctl setup apple.com --base-url "$ISSUER"
    nothing
done

#: If pasting the callback fails, the printed command allows pasting again.
person 2 'Services ID: =com.example.signin' "Return URL: =$callback" '[paste]: =' 'Team ID: =TEAM123456' 'Key ID: =KEY1234567' \
    'Path of the .p8 file: =AuthKey.p8' '/auth/authorize' '=^D' -- authctl setup apple.com --base-url "$ISSUER"
out "'apple.com' is configured, but signing in failed: "
out 'authctl signin apple.com --flow paste'

#: setup --json lists each value that Apple requires, and the printed commands sign in with these values.
works authctl setup apple.com --json
json "[n['variable'] for n in d['needs']] == ['CLIENT_ID', 'REDIRECT_URI', 'TEAM_ID', 'KEY_ID', 'PRIVATE_KEY', 'PORT']"
json "len(d['commands']) == 2 and all('\"\$' + n['variable'] + '\"' in ' '.join(d['commands']) for n in d['needs'])"
field "d['commands'][0]" >add
field "d['commands'][1]" >signin
reverse_proxy
values=(CLIENT_ID=com.example.signin REDIRECT_URI="$callback" TEAM_ID=TEAM123456 KEY_ID=KEY1234567 PRIVATE_KEY="$PWD/AuthKey.p8" PORT="$port")
# The provider is the emulator.
works env "${values[@]}" bash -c "$(cat add) --base-url $ISSUER"
works env "${values[@]}" bash -c "$(cat signin)"
err "[Ss]igned in to apple.com"
