# Signing out removes the session; the account stays, and the next sign-in uses it again.
# Runs on both directories.
provider google.com
works authctl signin --provider google.com --json
uid=$(field "d['account']['uid']")
works authctl signout --json
json "d['signedOut'] == [{'uid': '$uid', 'providerId': 'google.com', 'resource': None, 'revoked': 'not-asked', 'keptUntil': None}]"
exits 4 authctl whoami
exits 4 authctl token
works authctl accounts list --json
json "[a['uid'] for a in d['accounts']] == ['$uid']"
works authctl signin --provider google.com --json
json "d['account']['uid'] == '$uid' and d['isNewUser'] is False"
works authctl signout --revoke --json
json "d['signedOut'][0]['revoked'] == 'confirmed'"
exits 4 authctl signout
