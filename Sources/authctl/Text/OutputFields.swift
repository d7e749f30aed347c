// Made by Packaging/output-fields of man/source: `make schema` after a change of OUTPUT there.

enum OutputFields {
    /// The names of each section, and its fields with their types and meanings.
    static let text = """
        Account
        uid\tstring\tunique in its directory
        name\tstring or null\tthe local alias
        email\tstring or null
        emailVerified\tboolean
        displayName\tstring or null
        photoURL\tstring or null
        isMachine\tboolean\ta CI job or a client
        isAnonymous\tboolean
        createdAt\ttime
        lastSignInAt\ttime
        providerData\tlist of Identity

        Error
        code\tstring\tstable
        message\tstring
        hint\tstring or null\twhat to do next
        email\tstring or null\tthe address of a conflict
        providers\tlist of string or null\thow its account signs in
        pendingId\tstring or null\tthe pending credential
        reason\tstring or null\twhy a vault is unavailable

        Identity
        providerId\tstring
        federatedId\tstring\tthe provider's ID of the user
        email\tstring or null
        displayName\tstring or null
        photoURL\tstring or null
        screenName\tstring or null\tthe user name at the provider
        isPrivateRelay\tboolean\tan address of Apple's relay
        tenantId\tstring or null\tthe tenant at microsoft.com

        Vault
        kind\tstring\tfile, keyring, passphrase
        state\tstring\topen, locked, missing, or an error
        until\ttime or null\twhen it will be locked

        accounts Listed
        *\tAccount
        current\tboolean

        accounts Rule
        directory\tstring or null
        remote\tstring or null
        gitConfig\tboolean
        profile\tstring
        account\tAccount or null\tnull: it does not exist, or git's configuration names it

        accounts delete
        deleted\tstring

        accounts export
        version\tnumber
        accounts\tlist of object

        accounts import
        imported\tnumber

        accounts list
        accounts\tlist of Listed

        accounts lookup
        email\tstring
        registered\tboolean or null
        providers\tlist of string

        accounts name, accounts reload, accounts set-email, accounts set-name, accounts set-password, accounts set-photo, accounts show, accounts switch
        account\tAccount

        accounts reset-password
        sentTo\tstring or null
        email\tstring or null
        sessionEnded\tboolean or null

        accounts rule
        rules\tlist of Rule

        accounts verify-email
        sentTo\tstring or null
        account\tAccount or null

        credential Installed
        tool\tstring\tas in the command line, for example git
        name\tstring\tthe host, registry, user, profile, identity pool or server
        file\tstring\tan absolute path
        repair\tstring or null\tthe command that repairs it; null if it is not broken

        credential install, credential uninstall
        tool\tstring
        changed\tlist of string

        credential list
        installed\tlist of Installed

        doctor
        checks\tlist of Check
        vault\tVault or null\tnull: it cannot be read

        doctor Check
        name\tstring\twhat was checked, or a provider
        status\tstring\tok, note, wrong
        detail\tstring
        remedy\tstring or null\ta command or a sentence

        error
        error\tError

        link, reauth
        *\tsignin

        link Credential, reauth Credential
        *\tsignin Credential

        link with --begin, reauth with --begin
        *\tsignin with --begin

        pending Pending
        id\tstring
        providerId\tstring
        email\tstring or null
        reason\tstring\tthe code of the conflict
        expiresAt\ttime

        pending discard
        discarded\tlist of string

        pending list
        pending\tlist of Pending

        profile Changed
        profile\tstring
        directory\tstring\tlocal, firebase
        projectId\tstring or null\tnull: local accounts
        oneAccountPerEmail\tboolean or null\tnull: the project decides

        profile Profile
        name\tstring
        current\tboolean
        directory\tstring\tlocal, firebase
        oneAccountPerEmail\tboolean
        providers\tlist of string

        profile Renamed
        profile\tstring\tthe new name
        previousName\tstring

        profile import, profile set
        *\tChanged

        profile list
        profiles\tlist of Profile

        profile lock, profile set with --vault, profile unlock
        vault\tVault

        profile remove, providers remove
        removed\tstring

        profile rename
        *\tRenamed

        profile use
        profile\tstring

        providers Check
        providerId\tstring
        check\tstring
        ok\tboolean
        detail\tstring
        hint\tstring or null\tif it cannot be checked

        providers Parameter
        name\tstring\tfor --param
        meaning\tstring

        providers Provider
        providerId\tstring
        baseUrl\tstring or null\tnull: the provider's own
        issuer\tstring or null
        preset\tstring or null
        tenant\tstring or null
        clientId\tstring or null\tnull: the project's, or none
        clientSecret\tstring or null\twhere it is stored
        scopes\tlist of string or null
        params\tobject or null\tsent at every sign-in
        redirectUri\tstring or null\tnull: the default
        authMethod\tstring or null\tnull: by the metadata
        appId\tstring or null\tat github.com
        privateKey\tstring or null\tthe file
        privateKeyPassphrase\tstring or null\tthe file
        keyId\tstring or null
        keyAlg\tstring or null\tnull: by the metadata
        certificate\tstring or null\tthe file
        assertionAudience\tstring or null
        assertionFrom\tstring or null\tthe provider of identity assertions
        discovery\tstring or null
        allowHttp\tboolean or null
        nonceMode\tstring or null
        deviceAuthorizationEndpoint\tstring or null
        revocationEndpoint\tstring or null
        pushedAuthorizationRequestEndpoint\tstring or null
        apiHosts\tlist of string or null
        par\tboolean or null
        dpop\tboolean or null
        fapi2\tboolean or null
        trustEmail\tboolean or null
        teamId\tstring or null\tat apple.com
        madeFor\tstring or null\tthe resource it was added for
        parameters\tlist of Parameter or null
        from\tstring or null\tthe file, or environment
        insteadOf\tstring or null\ta file that it overrides
        error\tError or null\tthe configuration is invalid

        providers Resource
        resource\tstring
        metadata\tstring or null\tits URL; null: not found
        authorizationServers\tlist of string
        issuer\tstring or null\tnull: none, or several
        scopes\tlist of string
        dpop\tstring\trequired, supported, no
        client\tstring\tconfigured, metadata-document, registration, none
        providerId\tstring or null\tif client is configured

        providers add, providers set, providers show
        *\tProvider

        providers check
        checks\tlist of Check

        providers discover
        *\tResource

        providers export
        providers\tobject

        providers list
        providers\tlist of Provider

        schema
        commands\tlist of string

        serve
        url\tstring
        key\tstring\tthe local key

        setup
        providers\tlist of Listed\twhat can be set up

        setup Listed
        providerId\tstring
        page\tstring or null

        setup Value
        label\tstring
        value\tstring

        setup Variable
        variable\tstring
        label\tstring

        setup with a provider
        providerId\tstring
        isConfigured\tboolean\tthere is a configuration
        page\tstring or null\twhere to register
        console\tstring or null\tthe path in the console of a known service
        kind\tstring or null\tthe type to choose there
        values\tlist of Value\twhat to enter there
        needs\tlist of Variable\twhat to set first
        secret\tstring or null\tits name, if one is asked for
        commands\tlist of string\twhat to run

        signin
        account\tAccount
        providerId\tstring
        isNewUser\tboolean\ta new account was created
        operation\tstring\tsignIn, link, reauthenticate
        profile\tobject\tthe provider's claims
        credential\tCredential
        emulator\tstring or null\tthe Firebase emulator

        signin Credential
        scopes\tlist of string\tthe granted scopes
        expiresAt\ttime or null\tnull: unknown, or never
        hasRefreshToken\tboolean
        hasIdToken\tboolean
        binding\tstring\tbearer, dpop, certificate

        signin with --begin
        id\tstring or null\tthe pending sign-in
        authorizationURL\tstring or null\topen it in a browser
        redirectURI\tstring or null\twhere the response arrives
        expiresAt\ttime or null\twhen the sign-in expires
        authorizationURLExpiresAt\ttime or null\tif it is earlier
        sentTo\tstring or null\tthe address

        signout
        signedOut\tlist of Ended

        signout Ended
        uid\tstring\tthe account
        providerId\tstring
        resource\tstring or null\tthe only URL it was for
        revoked\tstring\tconfirmed, failed, unsupported, …
        keptUntil\ttime or null\tthe tokens are stored until then

        signout with --retry
        retried\tlist of Ended

        status
        vault\tVault\twhere the encryption key is
        accounts\tlist of Listed
        chosenBy\tstring\toption, environment, directory-rule, git-config, current
        rule\tstring or null\tthe directory of the rule, or git's setting
        accountsWithoutSession\tnumber\taccounts that are not shown
        unrevoked\tlist of Unrevoked
        environment\tlist of Variable\ttokens in the environment

        status Listed
        *\tAccount
        current\tboolean
        sessions\tlist of Session

        status Session
        providerId\tstring
        state\tstring\tfresh, renews, needs-sign-in, …
        scopes\tlist of string
        expiresAt\ttime or null\tnull: unknown, or never
        hasRefreshToken\tboolean
        lastProvenAt\ttime or null\tthe last authentication
        source\tstring\tbrowser, device, password, ci.github, …
        binding\tstring\tbearer, dpop, certificate
        resource\tstring or null\tthe only URL it is for
        from\tstring or null\tthe provider's configuration file
        insteadOf\tstring or null\ta file that it overrides
        projectId\tstring or null\tthe Firebase project
        tenantId\tstring or null\tits tenant
        emulator\tstring or null\tthe Firebase emulator

        status Unrevoked
        uid\tstring\tits account
        providerId\tstring
        failedAt\ttime\tthe last try
        keptUntil\ttime\tthe tokens are deleted then

        status Variable
        providerId\tstring
        source\tstring\tthe name of the variable

        token
        access_token\tstring or null\tnull with --type id
        id_token\tstring or null\twith --type id
        token_type\tstring or null\tBearer, DPoP, N_A
        scope\tstring or null\tseparated by spaces; with --repository, the permissions
        issued_token_type\tstring or null\twith --exchange
        expires_in\tnumber or null\tseconds; null: unknown, or never
        expires_on\tnumber or null\tseconds since 1970
        emulator\tstring or null\tthe emulator that issued the token

        unlink
        account\tAccount\twithout the provider

        verify
        valid\tboolean
        claims\tobject or null\tof a valid token
        error\tRefusal or null\tof an invalid token
        alg\tstring or null\tof a valid token
        payload\tstring or null\ta payload that is not JSON
        payloadBase64url\tstring or null\ta payload that is not text

        verify Refusal
        code\tstring\tstable
        message\tstring

        whoami
        account\tAccount
        projectId\tstring or null\tthe Firebase project
        tenantId\tstring or null\tits tenant
        emulator\tstring or null\tthe Firebase emulator
        claims\tobject or null\tclaims of the project's last ID token
        """
}
