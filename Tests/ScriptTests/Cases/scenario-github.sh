# Sign in with GitHub: the page does not offer a new GitHub account, and the email address is requested.
# Runs on both directories.
provider github.com
works authctl signin --provider github.com --param allow_signup=false --scope user:email --json
err '&allow_signup=false'
json "'user:email' in d['credential']['scopes'] and d['account']['email'] == 'ada@example.com'"
json "d['profile']['login'] == 'ada' and d['account']['providerData'][0]['federatedId'].isdigit()"
# GitHub's API accepts the token.
works authctl token --provider github.com --header
out '^Authorization: Bearer gho_'
