# The JSON Schema of each command's output.

#: Lists the outputs that have a schema, and prints each schema without any configuration.
works authctl schema
out '^status$'
out '^accounts list$'
out '^error$'
mapfile -t commands <stdout
for command in "${commands[@]}"; do
    read -ra words <<<"$command"
    works authctl schema "${words[@]}"
    json "d['\$schema'] == 'https://json-schema.org/draft/2020-12/schema' and (d.get('title') or d['anyOf'][0]['title']) == 'authctl $command'"
done
works authctl schema --json
json "len(d['commands']) == ${#commands[@]}"
[ ! -e "$HOME/.config" ] || fail "it created a configuration"

#: An alias has the schema of its command.
works authctl schema login
out '"title":"authctl signin"'

#: A wrong name is an error with the command that was probably meant.
exits 64 authctl schema statsu
err "'statsu' does not have a schema: did you mean 'status'\? \(usage\)"
err 'hint: authctl schema status$'
exits 64 authctl schema accounts
err "'accounts' has several commands, each with a schema"
err 'hint: authctl schema accounts delete$'
exits 64 authctl schema exec --json
failed "e['code'] == 'usage' and e['hint'] == 'authctl schema' and e['pendingId'] is None"
