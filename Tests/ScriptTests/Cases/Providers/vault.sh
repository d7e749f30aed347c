# `vault` shows, moves, locks and unlocks the encryption key, like `profile set --vault`, `profile lock` and `unlock`.
signed_in
echo 'correct horse battery' >right
works authctl vault
out '^the sessions are encrypted with a key in a plain file$'
works authctl vault show --json
json "d == {'vault': {'kind': 'file', 'state': 'open', 'until': None}}"
works authctl vault passphrase --passphrase-fd 3 3<right
err '^authctl: the sessions are encrypted with a passphrase-encrypted key, '
[ ! -e home/.config/authctl/key ] || fail "the key is left"
works authctl vault show --json
json "d['vault']['kind'] == 'passphrase'"
works authctl vault unlock --for 10m --passphrase-fd 3 --json 3<right
json "d['vault']['state'] == 'open' and d['vault']['until']"
works authctl token
works authctl vault lock
exits 4 authctl token
err 'hint: .*authctl vault unlock$'
works authctl profile unlock --for 10m --passphrase-fd 3 3<right
works authctl vault file
works authctl profile set --vault file --json
json "d['vault']['kind'] == 'file'"
exits 7 authctl vault lock
err 'hint: authctl vault passphrase$'
exits 64 authctl vault lock --for 10m
err '--for requires unlock'
exits 64 authctl vault file --weak
err '--weak requires passphrase'
exits 64 authctl vault nowhere
works authctl profile --help
no_out '^  (lock|unlock) '
works authctl profile set --help-all
no_out '--vault'
