# Deleting an account requires authentication within the last five minutes.
# Runs on both directories.
provider google.com
works authctl signin --provider google.com
older 301
exits 5 authctl accounts delete --yes
err 'within the last five minutes .requires-recent-login'
err "hint: to re-authenticate first: add --reauth$"
works authctl whoami

# Another user in the same browser does not re-authenticate and changes nothing.
exits 6 authctl reauth --param emulator_user=mallory@example.com --json
failed "e['code'] == 'user-mismatch'"
err 'prompt=select_account'
exits 5 authctl accounts delete --yes
works authctl token
works authctl accounts list --json
json "len(d['accounts']) == 1"

# A sign-in with an old auth_time does not re-authenticate.
provider google.com --fault stale-auth-time
works authctl providers add google.com --base-url "$ISSUER" --client-id client-1 --client-secret-file "$PWD/secret"
works authctl signout
works authctl signin --provider google.com --param emulator_user=grace@example.com
older 301
exits 5 authctl reauth --account grace@example.com
err 'did not re-authenticate the user'

# After re-authentication, deleting requires --yes.
provider google.com --user linus@example.com
works authctl signin --provider google.com
older 301
works authctl reauth --json
json "d['operation'] == 'reauthenticate'"
exits 64 authctl accounts delete
err 'pass --yes to confirm'
works authctl accounts delete --yes --json
exits 4 authctl whoami
exits 4 authctl token

# Re-authentication and deletion in one command, and the confirmation on a terminal.
works authctl signin --provider google.com
older 301
# On a terminal, the re-authentication is offered.
python3 "$ROOT/Tests/Servers/terminal.py" 'Permanently delete=y' 'Sign in now? [Y/n]=n' -- authctl accounts delete >stdout && fail "deleted"
out 'requires a sign-in within the last five minutes'
works authctl whoami
python3 "$ROOT/Tests/Servers/terminal.py" 'Permanently delete=n' -- authctl accounts delete --reauth >stdout && fail "deleted after no"
works authctl whoami
python3 "$ROOT/Tests/Servers/terminal.py" 'Permanently delete=y' 'Sign in now? [Y/n]=' -- authctl accounts delete >stdout || fail "not deleted"
out 'is deleted'
works authctl signin --provider google.com
older 301
works authctl accounts delete --yes --reauth
err 're-authenticated with'
[ "$DIRECTORY" != local ] || err 'is deleted; its tokens were not revoked$'
exits 4 authctl whoami

# What a hint deletes is the account of the command line, and not the current one.
works authctl signin --provider google.com
several_accounts_per_email
provider google.com --user zoe@example.com
works authctl signin --provider google.com
exits 64 authctl accounts delete linus@example.com
err 'pass --yes to confirm'
older 301
exits 5 authctl accounts delete linus@example.com --yes
err 'hint: to re-authenticate first: add --reauth$'

# Another identity or a password, which another person could link, does not authenticate the user.
provider google.com --user joan@example.com
works authctl signin --provider google.com
older 301
printf 'a long right password' >password
code=0
authctl link --provider password --email joan@example.com --password-stdin <password >stdout 2>stderr || code=$?
[ $code = 5 ] || fail "exit $code: a password was linked"
err requires-recent-login
provider github.com --user joan@example.com
works authctl link --provider github.com
exits 5 authctl unlink --provider google.com
err requires-recent-login
works authctl unlink --provider google.com --reauth

# A local account without a session on this machine is deleted after a confirmation, whether its provider is configured
# or not.
if [ "$DIRECTORY" = local ]; then
    works authctl accounts switch joan@example.com
    works authctl signout
    exits 64 authctl accounts delete joan@example.com
    works authctl accounts delete joan@example.com --yes
    no_err 'requires'
fi
