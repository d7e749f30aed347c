# An ID token obtained elsewhere signs in, with its raw nonce, once.
signed_in
works authctl token --type id
cp stdout id-token
nonce=$(cut -d. -f2 id-token | python3 -c "import base64,json,sys; t=sys.stdin.read().strip(); print(json.loads(base64.urlsafe_b64decode(t+'='*(-len(t)%4)))['nonce'])")
works authctl signout

exits 65 authctl signin --id-token id-token
err 'missing-or-invalid-nonce'
exits 65 authctl signin --id-token id-token --nonce wrong
err 'missing-or-invalid-nonce'
works authctl signin --id-token id-token --nonce="$nonce"
works authctl whoami
out 'ada@example.com'
exits 4 authctl token
err 'authctl token --type id'
works authctl token --type id
cmp stdout id-token
exits 65 authctl signin --id-token id-token --nonce="$nonce"
err 'used before'
exits 64 authctl signin --id-token no-such-file
# The session has no token that can be revoked.
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
