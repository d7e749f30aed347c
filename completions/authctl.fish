function __authctl_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __authctl_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __authctl_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __authctl_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __authctl_parse_tokens -S
    set -l unparsed_tokens (__authctl_tokens -pc)
    switch $unparsed_tokens[1]
    case 'authctl'
        __authctl_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'signin'
            __authctl_parse_subcommand 0 'provider=' 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'flow=' 'scope=+' 'param=+' 'login-hint=' 'prompt=' 'max-age=' 'acr=' 'language=' 'tenant=' 'port=' 'no-browser' 'id-token=' 'nonce=' 'access-token=' 'version' 'h/help'
        case 'token'
            __authctl_parse_subcommand 0 'provider=' 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'type=' 'min-ttl=' 'force-refresh' 'header' 'env' 'version' 'h/help'
        case 'request'
            __authctl_parse_subcommand 1 'provider=' 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'X/method=' 'H/header=+' 'data=' 'version' 'h/help'
        case 'whoami'
            __authctl_parse_subcommand 0 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
        case 'status'
            __authctl_parse_subcommand 0 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
        case 'signout'
            __authctl_parse_subcommand 0 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'revoke' 'end-session' 'all' 'version' 'h/help'
        case 'accounts'
            __authctl_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __authctl_parse_subcommand 0 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            case 'switch'
                __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            case 'show'
                __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            end
        case 'providers'
            __authctl_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __authctl_parse_subcommand 0 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            case 'show'
                __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            case 'add'
                __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'issuer=' 'base-url=' 'preset=' 'tenant=' 'team-id=' 'api-host=+' 'discovery=' 'client-id=' 'client-secret-stdin' 'client-secret-file=' 'client-secret-env=' 'scope=+' 'param=+' 'redirect-uri=' 'auth-method=' 'private-key=' 'key-id=' 'register' 'trust-email' 'nonce-mode=' 'allow-http' 'version' 'h/help'
            case 'remove'
                __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            case 'check'
                __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'version' 'h/help'
            end
        case 'verify'
            __authctl_parse_subcommand 1 'profile=' 'account=' 'json' 'q/quiet' 'v/verbose' 'no-input' 'timeout=' 'config-dir=' 'issuer=' 'audience=' 'jwks=' 'signature-only' 'version' 'h/help'
        case 'help'
            __authctl_parse_subcommand -r 1 'version'
        end
    end
end

function __authctl_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __authctl_parse_subcommand -S -a positional_count
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

function __authctl_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __authctl_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__authctl_tokens -p)
    if test -z "$(__authctl_tokens -t)"
        set -l index (count (__authctl_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'authctl' -f
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'signin' -d 'Sign in with a provider.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'token' -d 'Print one token and nothing else, refreshed first where needed.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'request' -d 'Call an API with the access token.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'whoami' -d 'Show the current account.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'status' -d 'Show every account, its sessions, and how long they last.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'signout' -d 'Forget the session on this machine.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'accounts' -d 'List, show and switch accounts.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'providers' -d 'List, show, add, remove and check providers.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'verify' -d 'Check a signed token and print its claims.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" provider' -l 'provider' -d 'The provider.' -rfka '(__authctl_custom_completion ---completion signin -- --provider (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion signin -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" flow' -l 'flow' -d 'How to reach the person: auto, browser or paste.' -rfka 'auto browser paste'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin"' -l 'scope' -d 'Ask for this scope too; repeatable, or separated by commas.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin"' -l 'param' -d 'Send this parameter to the provider; repeatable.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" login-hint' -l 'login-hint' -d 'Who is expected to sign in.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" prompt' -l 'prompt' -d 'What the provider should ask: login, consent, select_account or none.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" max-age' -l 'max-age' -d 'Refuse a sign-in at the provider that is older.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" acr' -l 'acr' -d 'Accept only these authentication context classes.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" language' -l 'language' -d 'The language of the provider\'s pages.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" tenant' -l 'tenant' -d 'At microsoft.com: a tenant\'s GUID or domain, common, organizations or consumers.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" port' -l 'port' -d 'Listen on this loopback port.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" no-browser' -l 'no-browser' -d 'Print the URL and open no browser.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" id-token' -l 'id-token' -d 'Sign in with an ID token from a file, or from standard input (-).' -rF
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" nonce' -l 'nonce' -d 'The raw nonce of the ID token.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" access-token' -l 'access-token' -d 'Sign in with an access token from a file, or from standard input (-), where its provider says for whom it was made.' -rF
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signin" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" provider' -l 'provider' -d 'The provider.' -rfka '(__authctl_custom_completion ---completion token -- --provider (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion token -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" type' -l 'type' -d 'Which token: access or id.' -rfka 'access id'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" min-ttl' -l 'min-ttl' -d 'Refresh when less than this is left of its life.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" force-refresh' -l 'force-refresh' -d 'Refresh even if the token still lives.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" header' -l 'header' -d 'Print it as an Authorization header.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" env' -l 'env' -d 'Print it as AUTHCTL_TOKEN=\'…\', for a shell.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl token" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" provider' -l 'provider' -d 'The provider.' -rfka '(__authctl_custom_completion ---completion request -- --provider (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion request -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" X method' -s 'X' -l 'method' -d 'The method.' -rfka 'GET HEAD POST PUT PATCH DELETE'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request"' -s 'H' -l 'header' -d 'A further header, \'Name: value\'; repeatable.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" data' -l 'data' -d 'Send this file, or standard input (-), as the body.' -rF
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl request" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion whoami -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl whoami" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion status -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion signout -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" revoke' -l 'revoke' -d 'Also revoke the refresh token, then the access token, at the provider.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" end-session' -l 'end-session' -d 'Also open the provider\'s logout page.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" all' -l 'all' -d 'Sign out every account.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl signout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl accounts" -eq 1' -fa 'list' -d 'List the accounts of this profile.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl accounts" -eq 1' -fa 'switch' -d 'Make another account the current one.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl accounts" -eq 1' -fa 'show' -d 'Show one account.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion accounts list -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl accounts switch" -eq 1' -fka '(__authctl_custom_completion ---completion accounts switch -- positional@0 (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion accounts switch -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts switch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl accounts show" -eq 1' -fka '(__authctl_custom_completion ---completion accounts show -- positional@0 (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion accounts show -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl accounts show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers" -eq 1' -fa 'list' -d 'List the configured providers.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers" -eq 1' -fa 'show' -d 'Show one provider\'s settings; secrets only by their place.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers" -eq 1' -fa 'add' -d 'Add a provider, or replace its entry; discovery runs at once.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers" -eq 1' -fa 'remove' -d 'Remove a provider\'s entry and its sealed secret.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers" -eq 1' -fa 'check' -d 'Check a provider: discovery, keys, clock, redirect rules.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion providers list -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers show" -eq 1' -fka '(__authctl_custom_completion ---completion providers show -- positional@0 (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion providers show -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers add" -eq 1' -fka 'github.com apple.com microsoft.com google.com facebook.com twitter.com'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion providers add -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" issuer' -l 'issuer' -d 'The issuer of an oidc.NAME, exactly as the provider writes it.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" base-url' -l 'base-url' -d 'Where a built-in provider\'s endpoints are instead: an Enterprise Server, a sovereign cloud, an emulator.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" preset' -l 'preset' -d 'The service behind an oidc.NAME, for what it does its own way.' -rfka 'okta auth0 keycloak cognito gitlab'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" tenant' -l 'tenant' -d 'At microsoft.com: a tenant\'s GUID or domain, common, organizations or consumers.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" team-id' -l 'team-id' -d 'At apple.com: the ten characters of your team.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add"' -l 'api-host' -d 'A further host that \'authctl request\' may send the token to; repeatable.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" discovery' -l 'discovery' -d 'Which well-known document describes it: openid (OpenID Connect Discovery) or oauth (RFC 8414).' -rfka 'openid oauth'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" client-id' -l 'client-id' -d 'The client ID that the provider gave you.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" client-secret-stdin' -l 'client-secret-stdin' -d 'Read the client secret from standard input.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" client-secret-file' -l 'client-secret-file' -d 'Read the client secret from this file whenever it is needed.' -rF
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" client-secret-env' -l 'client-secret-env' -d 'Read the client secret from this environment variable.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add"' -l 'scope' -d 'Ask for this scope at every sign-in; repeatable.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add"' -l 'param' -d 'Send this parameter at every sign-in; repeatable.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" redirect-uri' -l 'redirect-uri' -d 'The redirect URI as it is registered.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" auth-method' -l 'auth-method' -d 'How the client authenticates; found out when left out.' -rfka 'none client_secret_basic client_secret_post client_secret_jwt private_key_jwt'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" private-key' -l 'private-key' -d 'The PEM file of the key for private_key_jwt, or Apple\'s .p8 file.' -rF
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" key-id' -l 'key-id' -d 'The key\'s ID at the provider.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" register' -l 'register' -d 'Register a client at the provider (OpenID Dynamic Client Registration).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" trust-email' -l 'trust-email' -d 'Take the provider\'s word on whether an email is verified.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" nonce-mode' -l 'nonce-mode' -d 'How the nonce is sent and compared with the token\'s: raw or sha256.' -rfka 'raw sha256'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" allow-http' -l 'allow-http' -d 'Allow a plain http issuer that is not on loopback [anybody on the way can read along].'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers remove" -eq 1' -fka '(__authctl_custom_completion ---completion providers remove -- positional@0 (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion providers remove -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl providers check" -eq 1' -fka '(__authctl_custom_completion ---completion providers check -- positional@0 (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion providers check -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl providers check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_positional "authctl verify" -eq 1' -F
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" profile' -l 'profile' -d 'Use this profile (AUTHCTL_PROFILE).' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" account' -l 'account' -d 'Act for this account, in this call only (AUTHCTL_ACCOUNT).' -rfka '(__authctl_custom_completion ---completion verify -- --account (count (__authctl_tokens -pc)) (__authctl_tokens -tC))'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" json' -l 'json' -d 'Print JSON.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" q quiet' -l 'quiet' -s 'q' -d 'Print no notes.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" v verbose' -l 'verbose' -s 'v' -d 'Trace HTTP on standard error; secrets are left out.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" no-input' -l 'no-input' -d 'Never prompt and never open a browser (implied when CI is set).'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" timeout' -l 'timeout' -d 'How long to wait for a person.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" config-dir' -l 'config-dir' -d 'Keep everything in this directory (AUTHCTL_CONFIG_DIR).' -rfa '(__authctl_complete_directories)'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" issuer' -l 'issuer' -d 'Check against this issuer and its published keys.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" audience' -l 'audience' -d 'The client the token must be for.' -rfka ''
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" jwks' -l 'jwks' -d 'Take the keys from this JWK Set.' -rF
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" signature-only' -l 'signature-only' -d 'Check the signature alone and print the payload.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" version' -l 'version' -d 'Show the version.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl verify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'authctl' -n '__authctl_should_offer_completions_for_flags_or_options "authctl help" version' -l 'version' -d 'Show the version.'
