# A real SSH server, and the command `ssh` for its only host, whose name is `host`.
ssh_port=$(free_port)
ssh-keygen -q -t ed25519 -N '' -f host_key </dev/null
ssh-keygen -q -t ed25519 -N '' -f user_key </dev/null
printf '%s\n' "Port $ssh_port" 'ListenAddress 127.0.0.1' "HostKey $PWD/host_key" "AuthorizedKeysFile $PWD/user_key.pub" \
    'StrictModes no' 'UsePAM no' 'PidFile none' >sshd_config
sshd=$(command -v sshd || echo "$ROOT/.build/sshd/usr/sbin/sshd")
export LD_LIBRARY_PATH=$ROOT/.build/sshd/usr/lib/x86_64-linux-gnu:$ROOT/.build/sshd/lib/x86_64-linux-gnu
daemon=("$sshd" -D -e -f "$PWD/sshd_config")
if [ "$(id -u)" = 0 ]; then
    # As root it needs a user and a directory, which this machine may lack.
    { grep -v ^sshd: /etc/passwd; echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin'; } >passwd
    daemon=(unshare -m sh -c "mount --bind passwd /etc/passwd && mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec ${daemon[*]}")
fi
"${daemon[@]}" 2>sshd.log &
servers+=("$!")
unset LD_LIBRARY_PATH
awaits sshd.log 'Server listening' >/dev/null
printf '%s\n' 'Host host' 'HostName 127.0.0.1' "Port $ssh_port" "User $(id -un)" "IdentityFile $PWD/user_key" "UserKnownHostsFile $PWD/known" \
    'StrictHostKeyChecking no' 'BatchMode yes' 'SessionType none' 'LogLevel DEBUG' >ssh_config
ssh() { exec ssh -F ssh_config "$@"; }
