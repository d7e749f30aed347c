# A signal during a refresh ends the process after the new refresh token is stored; a second signal ends it at once.
signed_in
EMULATOR=$EMULATOR ISSUER=$ISSUER works python3 - <<'P'
import os, signal, subprocess, time
emulator, port = int(os.environ["EMULATOR"]), int(os.environ["ISSUER"].rsplit(":", 1)[1])

def is_waiting():
    """Whether a request has arrived that the stopped emulator has not read."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return any(int(row[1].split(":")[1], 16) == port and row[3] == "01" and int(row[4].split(":")[1], 16) for row in rows)

def refresh():
    """Starts a refresh, and returns when the provider has received its request."""
    os.kill(emulator, signal.SIGSTOP)
    process = subprocess.Popen(["authctl", "token", "--force-refresh"], stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while not is_waiting(): time.sleep(0.01)
    return process

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    process = refresh()
    process.send_signal(number)
    os.kill(emulator, signal.SIGCONT)
    assert process.wait() == -number, process.returncode
    subprocess.run(["authctl", "token", "--force-refresh"], stdout=subprocess.DEVNULL, check=True)
process = refresh()
process.send_signal(signal.SIGTERM)
process.send_signal(signal.SIGHUP)
assert process.wait() in (-signal.SIGTERM, -signal.SIGHUP), process.returncode
os.kill(emulator, signal.SIGCONT)
P
