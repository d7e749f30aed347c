#!/bin/bash

__authctl_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__authctl_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__authctl_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__authctl_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_authctl() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    signin|signout|link|unlink|reauth|token|request|exec|use|serve|verify|status|accounts|providers|profile|vault|schema|completion|doctor|login|logout|help)
        # Offer subcommand argument completions
        "_authctl_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'signin signout link unlink reauth token request exec use serve verify status accounts providers profile vault schema completion doctor login logout help' -- "${cur}"))
        ;;
    esac
}

_authctl_signin() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --no-browser --par --dpop --with-token --begin --password-stdin --create --totp-stdin --link-pending --separate --consent --version -h --help)
    repeating_options=(--provider --scope --param --require)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --flow --port --listen --login-hint --prompt --max-age --acr --language --tenant --id-token --nonce --complete --resource --client-metadata --email --ci --audience --issuer --ci-source --exchange --exchange-by --custom-token --code --pending)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signin -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signin -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signin -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--flow')
        __authctl_add_completions -W 'auto'$'\n''browser'$'\n''device'$'\n''paste'$'\n''client-credentials'
        return
        ;;
    '--port')
        return
        ;;
    '--listen')
        return
        ;;
    '--scope')
        return
        ;;
    '--param')
        return
        ;;
    '--login-hint')
        return
        ;;
    '--prompt')
        return
        ;;
    '--max-age')
        return
        ;;
    '--acr')
        return
        ;;
    '--language')
        return
        ;;
    '--tenant')
        return
        ;;
    '--id-token')
        __authctl_add_completions -f
        return
        ;;
    '--nonce')
        return
        ;;
    '--complete')
        return
        ;;
    '--resource')
        return
        ;;
    '--client-metadata')
        return
        ;;
    '--email')
        return
        ;;
    '--ci')
        __authctl_add_completions -W 'auto'$'\n''github'$'\n''gitlab'$'\n''azure'$'\n''circleci'$'\n''buildkite'$'\n''bitbucket'$'\n''kubernetes'$'\n''google'$'\n''file'
        return
        ;;
    '--audience')
        return
        ;;
    '--issuer')
        return
        ;;
    '--ci-source')
        return
        ;;
    '--require')
        return
        ;;
    '--exchange')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signin -- --exchange "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exchange-by')
        __authctl_add_completions -W 'token-exchange'$'\n''jwt-bearer'$'\n''client-assertion'
        return
        ;;
    '--custom-token')
        __authctl_add_completions -f
        return
        ;;
    '--code')
        __authctl_add_completions -f
        return
        ;;
    '--pending')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signin -- --pending "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signin -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_signout() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --revoke --end-session --all --retry --yes --version -h --help)
    repeating_options=(--provider)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signout -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signout -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signout -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion signout -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_link() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --no-browser --par --dpop --with-token --begin --totp-stdin --password-stdin --list --consent --version -h --help)
    repeating_options=(--provider --scope --param)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --flow --port --listen --login-hint --prompt --max-age --acr --language --tenant --id-token --nonce --complete --code --email --pending --discard)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion link -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion link -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion link -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--flow')
        __authctl_add_completions -W 'auto'$'\n''browser'$'\n''device'$'\n''paste'$'\n''client-credentials'
        return
        ;;
    '--port')
        return
        ;;
    '--listen')
        return
        ;;
    '--scope')
        return
        ;;
    '--param')
        return
        ;;
    '--login-hint')
        return
        ;;
    '--prompt')
        return
        ;;
    '--max-age')
        return
        ;;
    '--acr')
        return
        ;;
    '--language')
        return
        ;;
    '--tenant')
        return
        ;;
    '--id-token')
        __authctl_add_completions -f
        return
        ;;
    '--nonce')
        return
        ;;
    '--complete')
        return
        ;;
    '--code')
        __authctl_add_completions -f
        return
        ;;
    '--email')
        return
        ;;
    '--pending')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion link -- --pending "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--discard')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion link -- --discard "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion link -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_unlink() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --reauth --version -h --help)
    repeating_options=(--provider)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion unlink -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion unlink -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion unlink -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion unlink -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_reauth() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --no-browser --par --dpop --with-token --begin --totp-stdin --password-stdin --version -h --help)
    repeating_options=(--provider --scope --param)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --flow --port --listen --login-hint --prompt --max-age --acr --language --tenant --id-token --nonce --complete --custom-token --code)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion reauth -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion reauth -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion reauth -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--flow')
        __authctl_add_completions -W 'auto'$'\n''browser'$'\n''device'$'\n''paste'$'\n''client-credentials'
        return
        ;;
    '--port')
        return
        ;;
    '--listen')
        return
        ;;
    '--scope')
        return
        ;;
    '--param')
        return
        ;;
    '--login-hint')
        return
        ;;
    '--prompt')
        return
        ;;
    '--max-age')
        return
        ;;
    '--acr')
        return
        ;;
    '--language')
        return
        ;;
    '--tenant')
        return
        ;;
    '--id-token')
        __authctl_add_completions -f
        return
        ;;
    '--nonce')
        return
        ;;
    '--complete')
        return
        ;;
    '--custom-token')
        __authctl_add_completions -f
        return
        ;;
    '--code')
        __authctl_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion reauth -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_token() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --force-refresh --header --env --version -h --help)
    repeating_options=(--provider --audience --scope --exchange-param --repository --permission --proof)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --type --min-ttl --resource --exchange --shell)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion token -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion token -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion token -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--type')
        __authctl_add_completions -W 'access'$'\n''id'
        return
        ;;
    '--min-ttl')
        return
        ;;
    '--resource')
        return
        ;;
    '--exchange')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion token -- --exchange "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--audience')
        return
        ;;
    '--scope')
        return
        ;;
    '--exchange-param')
        return
        ;;
    '--repository')
        return
        ;;
    '--permission')
        return
        ;;
    '--proof')
        return
        ;;
    '--shell')
        __authctl_add_completions -W 'posix'$'\n''fish'$'\n''powershell'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion token -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_request() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --step-up --version -h --help)
    repeating_options=(--provider -H --header)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir -X --method --data)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion request -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion request -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion request -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '-X'|'--method')
        __authctl_add_completions -W 'GET'$'\n''HEAD'$'\n''POST'$'\n''PUT'$'\n''PATCH'$'\n''DELETE'
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '--data')
        __authctl_add_completions -f
        return
        ;;
    esac
}

_authctl_exec() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --renew --version -h --help)
    repeating_options=(--provider --audience --scope --exchange-param --repository --permission --as --file-as)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --type --min-ttl --resource --exchange)
    __authctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion exec -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion exec -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion exec -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--type')
        __authctl_add_completions -W 'access'$'\n''id'
        return
        ;;
    '--min-ttl')
        return
        ;;
    '--resource')
        return
        ;;
    '--exchange')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion exec -- --exchange "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--audience')
        return
        ;;
    '--scope')
        return
        ;;
    '--exchange-param')
        return
        ;;
    '--repository')
        return
        ;;
    '--permission')
        return
        ;;
    '--as')
        return
        ;;
    '--file-as')
        return
        ;;
    esac
}

_authctl_use() {
    repeating_flags=()
    non_repeating_flags=(--remove --stdio --json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=(--provider --host)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --role-arn --role-session-name --duration-seconds --region --sts-endpoint --workload-provider --service-account --audience --bin-dir --name --resource --file)
    __authctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion use -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion use -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion use -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--role-arn')
        return
        ;;
    '--role-session-name')
        return
        ;;
    '--duration-seconds')
        return
        ;;
    '--region')
        return
        ;;
    '--sts-endpoint')
        return
        ;;
    '--workload-provider')
        return
        ;;
    '--service-account')
        return
        ;;
    '--audience')
        return
        ;;
    '--host')
        return
        ;;
    '--bin-dir')
        __authctl_add_completions -d
        return
        ;;
    '--name')
        return
        ;;
    '--resource')
        return
        ;;
    '--file')
        __authctl_add_completions -f
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W 'git'$'\n''docker'$'\n''kubectl'$'\n''aws'$'\n''gcp'$'\n''mcp'$'\n''claude-code'$'\n''codex'$'\n''vscode'$'\n''cursor'$'\n''opencode'$'\n''goose'
        return
        ;;
    2)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion use -- positional@1 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_serve() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=(--allow --allow-header --allow-body --provider)
    non_repeating_options=(--socket --for --audit --upstream --port --resource --profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        __authctl_add_completions -f
        return
        ;;
    '--allow')
        return
        ;;
    '--for')
        return
        ;;
    '--audit')
        __authctl_add_completions -f
        return
        ;;
    '--upstream')
        return
        ;;
    '--port')
        return
        ;;
    '--allow-header')
        return
        ;;
    '--allow-body')
        __authctl_add_completions -W 'get'$'\n''form'
        return
        ;;
    '--resource')
        return
        ;;
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion serve -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion serve -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion serve -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_verify() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --signature-only --introspect --version -h --help)
    repeating_options=(--provider --require)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --issuer --audience --type --jwks --token-type-hint)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion verify -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion verify -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--issuer')
        return
        ;;
    '--audience')
        return
        ;;
    '--type')
        __authctl_add_completions -W 'access'$'\n''id'
        return
        ;;
    '--jwks')
        __authctl_add_completions -f
        return
        ;;
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion verify -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--token-type-hint')
        __authctl_add_completions -W 'access_token'$'\n''refresh_token'
        return
        ;;
    '--require')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -f
        return
        ;;
    esac
}

_authctl_status() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --why --long --version -h --help)
    repeating_options=(--provider)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --field)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion status -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion status -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion status -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--field')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion status -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_accounts() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    switch|name|rule|delete|set-email|set-password|reset-password|verify-email|set-name|set-photo|reload|lookup|export|import)
        # Offer subcommand argument completions
        "_authctl_accounts_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'switch name rule delete set-email set-password reset-password verify-email set-name set-photo reload lookup export import' -- "${cur}"))
        ;;
    esac
}

_authctl_accounts_switch() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts switch -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts switch -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts switch -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_accounts_name() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --remove --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts name -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts name -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts name -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts name -- positional@1 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_accounts_rule() {
    repeating_flags=()
    non_repeating_flags=(--git-config --json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--directory --remote --profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--directory')
        __authctl_add_completions -d
        return
        ;;
    '--remote')
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts rule -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts rule -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W 'add'$'\n''list'$'\n''remove'
        return
        ;;
    2)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts rule -- positional@1 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_accounts_delete() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --reauth --yes --here --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts delete -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts delete -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts delete -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_accounts_set-email() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --reauth --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-email -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-email -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_accounts_set-password() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --reauth --password-stdin --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-password -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-password -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_accounts_reset-password() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --password-stdin --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --code)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts reset-password -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts reset-password -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--code')
        __authctl_add_completions -f
        return
        ;;
    esac
}

_authctl_accounts_verify-email() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --code)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts verify-email -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts verify-email -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--code')
        __authctl_add_completions -f
        return
        ;;
    esac
}

_authctl_accounts_set-name() {
    repeating_flags=()
    non_repeating_flags=(--clear --json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-name -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-name -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_accounts_set-photo() {
    repeating_flags=()
    non_repeating_flags=(--clear --json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-photo -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts set-photo -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_accounts_reload() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --field)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts reload -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts reload -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--field')
        return
        ;;
    esac
}

_authctl_accounts_lookup() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts lookup -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts lookup -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_accounts_export() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --reauth --with-secrets --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts export -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts export -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_accounts_import() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts import -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion accounts import -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -f
        return
        ;;
    esac
}

_authctl_providers() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|add|set|remove|export|catalog)
        # Offer subcommand argument completions
        "_authctl_providers_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show add set remove export catalog' -- "${cur}"))
        ;;
    esac
}

_authctl_providers_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --field)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers list -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers list -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--field')
        return
        ;;
    esac
}

_authctl_providers_show() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --field)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers show -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers show -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--field')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers show -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_providers_add() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --par --dpop --fapi2 --trust-email --allow-http --client-secret-stdin --register --replace --version -h --help)
    repeating_options=(--api-host --scope --param --api-header --answer --trusted-audience)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --issuer --base-url --ca-file --preset --tenant --team-id --assertion-from --discovery --device-authorization-endpoint --revocation-endpoint --authorization-endpoint --token-endpoint --userinfo-endpoint --userinfo-body --uid-path --name-path --email-path --scope-separator --par-endpoint --nonce-mode --nonce-required --client-id --client-secret-file --client-secret-env --redirect-uri --response-mode --auth-method --app-id --private-key --certificate --private-key-passphrase-file --key-alg --key-id --assertion-audience)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers add -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers add -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--issuer')
        return
        ;;
    '--base-url')
        return
        ;;
    '--ca-file')
        __authctl_add_completions -f
        return
        ;;
    '--preset')
        __authctl_add_completions -W 'okta'$'\n''auth0'$'\n''keycloak'$'\n''cognito'$'\n''gitlab'$'\n''oauth'
        return
        ;;
    '--tenant')
        return
        ;;
    '--team-id')
        return
        ;;
    '--api-host')
        return
        ;;
    '--assertion-from')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers add -- --assertion-from "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--discovery')
        __authctl_add_completions -W 'openid'$'\n''oauth'$'\n''openid-inserted'
        return
        ;;
    '--scope')
        return
        ;;
    '--param')
        return
        ;;
    '--device-authorization-endpoint')
        return
        ;;
    '--revocation-endpoint')
        return
        ;;
    '--authorization-endpoint')
        return
        ;;
    '--token-endpoint')
        return
        ;;
    '--userinfo-endpoint')
        return
        ;;
    '--userinfo-body')
        return
        ;;
    '--uid-path')
        return
        ;;
    '--name-path')
        return
        ;;
    '--email-path')
        return
        ;;
    '--scope-separator')
        return
        ;;
    '--api-header')
        return
        ;;
    '--answer')
        return
        ;;
    '--par-endpoint')
        return
        ;;
    '--nonce-mode')
        __authctl_add_completions -W 'raw'$'\n''sha256'
        return
        ;;
    '--nonce-required')
        __authctl_add_completions -W 'on'$'\n''off'
        return
        ;;
    '--trusted-audience')
        return
        ;;
    '--client-id')
        return
        ;;
    '--client-secret-file')
        __authctl_add_completions -f
        return
        ;;
    '--client-secret-env')
        return
        ;;
    '--redirect-uri')
        return
        ;;
    '--response-mode')
        __authctl_add_completions -W 'query'$'\n''form_post'
        return
        ;;
    '--auth-method')
        __authctl_add_completions -W 'none'$'\n''client_secret_basic'$'\n''client_secret_post'$'\n''client_secret_jwt'$'\n''private_key_jwt'$'\n''tls_client_auth'$'\n''self_signed_tls_client_auth'
        return
        ;;
    '--app-id')
        return
        ;;
    '--private-key')
        __authctl_add_completions -f
        return
        ;;
    '--certificate')
        __authctl_add_completions -f
        return
        ;;
    '--private-key-passphrase-file')
        __authctl_add_completions -f
        return
        ;;
    '--key-alg')
        __authctl_add_completions -W 'RS256'$'\n''RS384'$'\n''RS512'$'\n''PS256'$'\n''PS384'$'\n''PS512'$'\n''ES256'$'\n''ES384'$'\n''ES512'$'\n''EdDSA'$'\n''Ed25519'
        return
        ;;
    '--key-id')
        return
        ;;
    '--assertion-audience')
        __authctl_add_completions -W 'issuer'$'\n''token-endpoint'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers add -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_providers_set() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --par --dpop --fapi2 --trust-email --allow-http --client-secret-stdin --version -h --help)
    repeating_options=(--api-host --scope --param --api-header --answer --trusted-audience --unset)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --issuer --base-url --ca-file --preset --tenant --team-id --assertion-from --discovery --device-authorization-endpoint --revocation-endpoint --authorization-endpoint --token-endpoint --userinfo-endpoint --userinfo-body --uid-path --name-path --email-path --scope-separator --par-endpoint --nonce-mode --nonce-required --client-id --client-secret-file --client-secret-env --redirect-uri --response-mode --auth-method --app-id --private-key --certificate --private-key-passphrase-file --key-alg --key-id --assertion-audience)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers set -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers set -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--issuer')
        return
        ;;
    '--base-url')
        return
        ;;
    '--ca-file')
        __authctl_add_completions -f
        return
        ;;
    '--preset')
        __authctl_add_completions -W 'okta'$'\n''auth0'$'\n''keycloak'$'\n''cognito'$'\n''gitlab'$'\n''oauth'
        return
        ;;
    '--tenant')
        return
        ;;
    '--team-id')
        return
        ;;
    '--api-host')
        return
        ;;
    '--assertion-from')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers set -- --assertion-from "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--discovery')
        __authctl_add_completions -W 'openid'$'\n''oauth'$'\n''openid-inserted'
        return
        ;;
    '--scope')
        return
        ;;
    '--param')
        return
        ;;
    '--device-authorization-endpoint')
        return
        ;;
    '--revocation-endpoint')
        return
        ;;
    '--authorization-endpoint')
        return
        ;;
    '--token-endpoint')
        return
        ;;
    '--userinfo-endpoint')
        return
        ;;
    '--userinfo-body')
        return
        ;;
    '--uid-path')
        return
        ;;
    '--name-path')
        return
        ;;
    '--email-path')
        return
        ;;
    '--scope-separator')
        return
        ;;
    '--api-header')
        return
        ;;
    '--answer')
        return
        ;;
    '--par-endpoint')
        return
        ;;
    '--nonce-mode')
        __authctl_add_completions -W 'raw'$'\n''sha256'
        return
        ;;
    '--nonce-required')
        __authctl_add_completions -W 'on'$'\n''off'
        return
        ;;
    '--trusted-audience')
        return
        ;;
    '--client-id')
        return
        ;;
    '--client-secret-file')
        __authctl_add_completions -f
        return
        ;;
    '--client-secret-env')
        return
        ;;
    '--redirect-uri')
        return
        ;;
    '--response-mode')
        __authctl_add_completions -W 'query'$'\n''form_post'
        return
        ;;
    '--auth-method')
        __authctl_add_completions -W 'none'$'\n''client_secret_basic'$'\n''client_secret_post'$'\n''client_secret_jwt'$'\n''private_key_jwt'$'\n''tls_client_auth'$'\n''self_signed_tls_client_auth'
        return
        ;;
    '--app-id')
        return
        ;;
    '--private-key')
        __authctl_add_completions -f
        return
        ;;
    '--certificate')
        __authctl_add_completions -f
        return
        ;;
    '--private-key-passphrase-file')
        __authctl_add_completions -f
        return
        ;;
    '--key-alg')
        __authctl_add_completions -W 'RS256'$'\n''RS384'$'\n''RS512'$'\n''PS256'$'\n''PS384'$'\n''PS512'$'\n''ES256'$'\n''ES384'$'\n''ES512'$'\n''EdDSA'$'\n''Ed25519'
        return
        ;;
    '--key-id')
        return
        ;;
    '--assertion-audience')
        __authctl_add_completions -W 'issuer'$'\n''token-endpoint'
        return
        ;;
    '--unset')
        __authctl_add_completions -W 'base-url'$'\n''preset'$'\n''tenant'$'\n''client-secret'$'\n''scope'$'\n''param'$'\n''redirect-uri'$'\n''auth-method'$'\n''app-id'$'\n''private-key'$'\n''private-key-passphrase-file'$'\n''key-id'$'\n''key-alg'$'\n''ca-file'$'\n''certificate'$'\n''assertion-audience'$'\n''assertion-from'$'\n''discovery'$'\n''allow-http'$'\n''nonce-mode'$'\n''trusted-audience'$'\n''nonce-required'$'\n''response-mode'$'\n''authorization-endpoint'$'\n''token-endpoint'$'\n''userinfo-endpoint'$'\n''userinfo-body'$'\n''uid-path'$'\n''name-path'$'\n''email-path'$'\n''scope-separator'$'\n''api-header'$'\n''device-authorization-endpoint'$'\n''revocation-endpoint'$'\n''par-endpoint'$'\n''api-host'$'\n''par'$'\n''dpop'$'\n''fapi2'$'\n''trust-email'$'\n''team-id'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers set -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_providers_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers remove -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers remove -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers remove -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_providers_export() {
    repeating_flags=()
    non_repeating_flags=(--catalog --json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers export -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers export -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers export -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_providers_catalog() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers catalog -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion providers catalog -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_profile() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|use|set|rename|remove|import)
        # Offer subcommand argument completions
        "_authctl_profile_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list use set rename remove import' -- "${cur}"))
        ;;
    esac
}

_authctl_profile_list() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile list -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile list -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac
}

_authctl_profile_use() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --create --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile use -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile use -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile use -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_profile_set() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=(--api-host)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --one-account-per-email --directory --api-key --project-id --auth-domain --locale --bundle-id --referer --android-package --android-cert --tenant-id --redirect-uri --emulator-host)
    __authctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile set -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile set -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--one-account-per-email')
        __authctl_add_completions -W 'on'$'\n''off'
        return
        ;;
    '--directory')
        __authctl_add_completions -W 'local'$'\n''firebase'
        return
        ;;
    '--api-key')
        return
        ;;
    '--project-id')
        return
        ;;
    '--auth-domain')
        return
        ;;
    '--locale')
        return
        ;;
    '--bundle-id')
        return
        ;;
    '--referer')
        return
        ;;
    '--android-package')
        return
        ;;
    '--android-cert')
        return
        ;;
    '--tenant-id')
        return
        ;;
    '--redirect-uri')
        return
        ;;
    '--emulator-host')
        return
        ;;
    '--api-host')
        return
        ;;
    esac
}

_authctl_profile_rename() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile rename -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile rename -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile rename -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_profile_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile remove -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile remove -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile remove -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_profile_import() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=(--api-host)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --tenant-id --redirect-uri --emulator-host)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile import -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion profile import -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--tenant-id')
        return
        ;;
    '--redirect-uri')
        return
        ;;
    '--emulator-host')
        return
        ;;
    '--api-host')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -f
        return
        ;;
    esac
}

_authctl_vault() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --weak --version -h --help)
    repeating_options=()
    non_repeating_options=(--for --profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--for')
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion vault -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion vault -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W 'show'$'\n''keyring'$'\n''passphrase'$'\n''file'$'\n''lock'$'\n''unlock'
        return
        ;;
    esac
}

_authctl_schema() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion schema -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion schema -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __authctl_add_completions -W "$(eval 'authctl schema')"
        return
        ;;
    esac
}

_authctl_completion() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion completion -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion completion -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W 'bash'$'\n''zsh'$'\n''fish'
        return
        ;;
    esac
}

_authctl_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --long --report --version -h --help)
    repeating_options=()
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion doctor -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion doctor -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion doctor -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_login() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --no-browser --par --dpop --with-token --begin --password-stdin --create --totp-stdin --link-pending --separate --consent --version -h --help)
    repeating_options=(--provider --scope --param --require)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir --flow --port --listen --login-hint --prompt --max-age --acr --language --tenant --id-token --nonce --complete --resource --client-metadata --email --ci --audience --issuer --ci-source --exchange --exchange-by --custom-token --code --pending)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion login -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion login -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion login -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--flow')
        __authctl_add_completions -W 'auto'$'\n''browser'$'\n''device'$'\n''paste'$'\n''client-credentials'
        return
        ;;
    '--port')
        return
        ;;
    '--listen')
        return
        ;;
    '--scope')
        return
        ;;
    '--param')
        return
        ;;
    '--login-hint')
        return
        ;;
    '--prompt')
        return
        ;;
    '--max-age')
        return
        ;;
    '--acr')
        return
        ;;
    '--language')
        return
        ;;
    '--tenant')
        return
        ;;
    '--id-token')
        __authctl_add_completions -f
        return
        ;;
    '--nonce')
        return
        ;;
    '--complete')
        return
        ;;
    '--resource')
        return
        ;;
    '--client-metadata')
        return
        ;;
    '--email')
        return
        ;;
    '--ci')
        __authctl_add_completions -W 'auto'$'\n''github'$'\n''gitlab'$'\n''azure'$'\n''circleci'$'\n''buildkite'$'\n''bitbucket'$'\n''kubernetes'$'\n''google'$'\n''file'
        return
        ;;
    '--audience')
        return
        ;;
    '--issuer')
        return
        ;;
    '--ci-source')
        return
        ;;
    '--require')
        return
        ;;
    '--exchange')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion login -- --exchange "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--exchange-by')
        __authctl_add_completions -W 'token-exchange'$'\n''jwt-bearer'$'\n''client-assertion'
        return
        ;;
    '--custom-token')
        __authctl_add_completions -f
        return
        ;;
    '--code')
        __authctl_add_completions -f
        return
        ;;
    '--pending')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion login -- --pending "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion login -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_logout() {
    repeating_flags=()
    non_repeating_flags=(--json --quiet -q --verbose -v --no-input --help-all --revoke --end-session --all --retry --yes --version -h --help)
    repeating_options=(--provider)
    non_repeating_options=(--profile --account --timeout --passphrase-fd --config-dir)
    __authctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--profile')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion logout -- --profile "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--account')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion logout -- --account "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    '--timeout')
        return
        ;;
    '--passphrase-fd')
        return
        ;;
    '--config-dir')
        __authctl_add_completions -d
        return
        ;;
    '--provider')
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion logout -- --provider "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __authctl_add_completions -W "$(__authctl_custom_complete ---completion logout -- positional@0 "${COMP_CWORD}" "$(__authctl_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_authctl_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __authctl_offer_flags_options -1
}

complete -o filenames -F _authctl authctl
