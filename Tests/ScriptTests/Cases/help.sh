# The front page, its topics, and the help of commands.

#: The front page is exactly this, and each way to ask for it prints it.
cat >expected <<'P'
authctl signs in to identity providers and gives tokens to scripts and tools.

  signin PROVIDER   sign in: github.com, google.com, https://id.example.com, ...
  status            show who is signed in, and until when
  token [NAME]      print a valid token
  request URL       call an API with the token
  exec -- COMMAND   run a program with the token in its environment
  use TOOL          let git, docker, kubectl, aws or an MCP client get tokens
  signout [NAME]    sign out on this machine; --revoke: at the provider too
  link, reauth      add an identity to your account; confirm that it is you
  doctor            find out what is wrong

NAME is what 'authctl status' shows, for example github.com or github.com/ada.

First:        authctl signin github.com
A command:    authctl token --help
Topics:       authctl help accounts|agents|ci|firebase|providers|scripts
All commands: authctl help all
P
for line in --help -h help; do
    works authctl $line
    cmp expected stdout || fail "another page"
done

#: The topic of accounts is exactly this, and each topic has at most 24 lines.
cat >expected <<'P'
An account holds one or more of your sign-ins. A sign-in with a new identity
makes an account of its own; linking adds it to the one you have.

  link PROVIDER           sign in to one more provider, in the same account
  unlink PROVIDER         remove a provider from the account
  link --list, --discard  show or discard sign-ins that wait for a link (1 hour)
  reauth [NAME]           confirm that it is you, before unlink or delete
  accounts switch NAME    make NAME the default
  accounts name ALIAS     give the account a short name
  accounts rule add --directory DIR NAME
                          make NAME the default in this folder
  accounts delete NAME    delete an account and its sessions on this machine

Use another account in one command: authctl token --account ALIAS
Sign in as someone else:  authctl signin github.com --prompt select_account

Example:  authctl signin work && authctl link github.com
Manual:   man authctl-accounts
P
works authctl help accounts
cmp expected stdout || fail "another topic"
for topic in agents ci firebase providers scripts; do
    works authctl help $topic
    [ "$(wc -l <stdout)" -le 24 ] || fail "a long topic: $topic"
    [ "$(wc -L <stdout)" -le 80 ] || fail "a wide topic: $topic"
done
works authctl accounts --help
out '^Usage: authctl accounts COMMAND$'
works authctl help all
out '^  serve  '
out '^  --passphrase-fd N '
no_out '^  (setup|credential|whoami|pending) '
exits 64 authctl help account
err "'account' is not a command"

#: The help of signin is exactly this; a group and --help-all have the other options.
cat >expected <<'P'
Sign in with a provider, in the browser or with a code on another device.

Usage: authctl signin [options] PROVIDER

PROVIDER is a name such as github.com (authctl help providers), the URL of an
OpenID Provider, or a name that 'authctl status' shows.

  --scope SCOPE     also request this scope; repeatable
  --flow FLOW       browser, device, paste, or client-credentials (no user)
  --no-browser      print the URL instead of opening a browser
  --with-token      read a personal access token from standard input
  --separate        make a separate account if another has the same address
  --param K=V       add a parameter to the authorization request; repeatable
  --resource URL    sign in to this API or MCP server instead of a PROVIDER

More options (authctl help signin GROUP):
  authorization, ci, existing, firebase, password, pending, two-step, global

Examples:
  authctl signin github.com
  authctl signin https://id.example.com --flow device
  authctl signin github.com --with-token <token.txt

All options: authctl signin --help-all     Manual: man authctl-signin
P
works authctl signin --help
cmp expected stdout || fail "another help"
for group in authorization ci existing firebase password pending two-step global; do
    works authctl help signin $group
    out "^  --"
done
works authctl help signin ci
out '^  --issuer URL '
works authctl signin --help-all
out '^  --issuer URL '

#: The help of a command that no page shows can be read.
for command in setup credential whoami pending 'accounts list' 'accounts show' 'providers check' 'providers discover'; do
    # shellcheck disable=SC2086
    works authctl $command --help
    out "^Usage: authctl $command"
done
works authctl accounts --help
no_out '^  (list|show) '

#: Without arguments and a session, authctl says how to begin, and creates no file.
cat >expected <<'P'
authctl signs in to identity providers and gives tokens to scripts and tools.

You are not signed in. Start with one of these:

  authctl signin github.com
  authctl signin google.com
  authctl signin https://id.example.com      your company's OpenID Provider

All commands: authctl --help
P
works authctl
cmp expected stdout || fail "another page"
[ -z "$(ls -A home)" ] || fail "a file was created"
[ ! -s stderr ] || fail "a note was printed"
CI=true works authctl
out '^You are not signed in. In a CI job: authctl help ci$'
no_out 'signin'
mkdir -p organization
printf 'providers:\n  oidc.work: {issuer: https://id.example.com, client_id: authctl}\n' >organization/config.yaml
works authctl
out '^  authctl signin work      set up by your organization$'
no_out 'github.com'

#: Without arguments, authctl prints the status if there is a session, and always succeeds.
signed_in --access-ttl 1 --fault no-refresh-token
sleep 1.1
exits 4 authctl status
mv stdout expected
works authctl
cmp expected stdout || fail "another status"
printf junk >home/.config/authctl/authctl.db
works authctl
out '^You are not signed in. Start'
err '^authctl: error: '
