function __authctl-emulator_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __authctl-emulator_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __authctl-emulator_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __authctl-emulator_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __authctl-emulator_parse_tokens -S
    set -l unparsed_tokens (__authctl-emulator_tokens -pc)
    switch $unparsed_tokens[1]
    case 'authctl-emulator'
        __authctl-emulator_parse_subcommand 0 'as=+' 'port=' 'alg=' 'keys=' 'client-id=' 'client-secret=' 'client-key=' 'client-alg=' 'certificate-header=' 'mtls-url=' 'client-subject=' 'client-certificate=' 'jwt-access-tokens' 'team-id=' 'key-id=' 'redirect-uri=+' 'tenant=' 'hosted-domain=' 'project-id=' 'code-ttl=' 'user=' 'auto-approve' 'access-ttl=' 'id-ttl=' 'session-ttl=' 'token-member=+' 'neighbours=' 'record=' 'mails=' 'mix-up-with=' 'accept-host=+' 'url=+' 'fault=+' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __authctl-emulator_parse_subcommand -r 1 'version'
        end
    end
end

function __authctl-emulator_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __authctl-emulator_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __authctl-emulator_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __authctl-emulator_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__authctl-emulator_tokens -p)
    if test -z "$(__authctl-emulator_tokens -t)"
        set -l index (count (__authctl-emulator_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'authctl-emulator' -f
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator"' -l 'as' -d 'Emulate this provider, or this service of the catalog; repeatable. \'all\' means all providers.' -rfka 'openid openid github.com apple.com microsoft.com google.com facebook.com twitter.com github-actions gitlab-ci kubernetes firebase'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" port' -l 'port' -d 'Listen on this port of 127.0.0.1, and on the following ones; 0 selects free ports.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" alg' -l 'alg' -d 'The signature algorithm of ID tokens: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" keys' -l 'keys' -d 'Store the keys that sign ID tokens in this directory (default: new keys at each start).' -rfa '(__authctl-emulator_complete_directories)'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" client-id' -l 'client-id' -d 'The registered client ID.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" client-secret' -l 'client-secret' -d 'The client\'s secret; without it the client is public.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" client-key' -l 'client-key' -d 'The client\'s key in PEM format: for private_key_jwt, or Apple\'s .p8 file. Only its public half is used.' -rF
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" client-alg' -l 'client-alg' -d 'The only algorithm to accept in client assertions, such as PS256.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" certificate-header' -l 'certificate-header' -d 'Read the client certificate from this header of a TLS proxy, and from its name with -Subject and -Verify.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" mtls-url' -l 'mtls-url' -d 'The URL of that proxy for clients with certificates (mtls_endpoint_aliases).' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" client-subject' -l 'client-subject' -d 'The client authenticates with a certificate for this subject.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" client-certificate' -l 'client-certificate' -d 'The client authenticates with this certificate, PEM.' -rF
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" jwt-access-tokens' -l 'jwt-access-tokens' -d 'Issue access tokens as JWTs.'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" team-id' -l 'team-id' -d 'The client\'s team, at apple.com.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" key-id' -l 'key-id' -d 'The client\'s key, at apple.com.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator"' -l 'redirect-uri' -d 'A registered redirect URI; repeatable.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" tenant' -l 'tenant' -d 'The user\'s tenant, at microsoft.com (default: 72f988bf-0000-4000-8000-2d7cd011db47).' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" hosted-domain' -l 'hosted-domain' -d 'The user\'s Workspace domain, at google.com.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" project-id' -l 'project-id' -d 'The project ID of firebase (default: demo-project).' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" code-ttl' -l 'code-ttl' -d 'The lifetime of codes (default: that of the real provider).' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" user' -l 'user' -d 'The user who signs in; for a CI system the project, owner/name.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" auto-approve' -l 'auto-approve' -d 'Approve every request without showing a page.'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" access-ttl' -l 'access-ttl' -d 'The lifetime of access tokens.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" id-ttl' -l 'id-ttl' -d 'The lifetime of ID tokens.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" session-ttl' -l 'session-ttl' -d 'The time from a sign-in to the end of its refresh tokens (default: they do not expire).' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator"' -l 'token-member' -d 'Add this member to token responses, for example refresh_expires_in=0; repeatable.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" neighbours' -l 'neighbours' -d 'Accept the tokens of every emulator with the same directory, like providers of one process.' -rfa '(__authctl-emulator_complete_directories)'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" record' -l 'record' -d 'Write every secret that is received or issued to this file, one per line, so that tests can search for leaks.' -rF
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" mails' -l 'mails' -d 'Write the emails of firebase to this file, one JSON object per line.' -rF
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" mix-up-with' -l 'mix-up-with' -d 'With --fault mix-up: redirect browsers to this authorization endpoint, whose client_id is in its query.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator"' -l 'accept-host' -d 'Also accept requests for this host, \'name\' or \'name:port\'; repeatable.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator"' -l 'url' -d 'The provider\'s public URL behind a proxy; repeatable, one for each provider.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator"' -l 'fault' -d 'Enable this fault; repeatable. \'list\' prints all faults.' -rfka ''
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" version' -l 'version' -d 'Show the version.'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_positional "authctl-emulator" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'authctl-emulator' -n '__authctl-emulator_should_offer_completions_for_flags_or_options "authctl-emulator help" version' -l 'version' -d 'Show the version.'
