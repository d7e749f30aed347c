"""Kills authctl at random moments, and checks that the next command can use the store.

    chaos.py DIRECTORY-OF-THE-PROGRAMS [--kills N] [--seed S]

Each round runs `providers add`, `signin`, `token --force-refresh` or `signout` with the local emulator, which rotates refresh
tokens, and ends it with SIGKILL at a random moment. Then the next commands must work. Only a refresh token can be lost: if
the command was killed before it stored the response of a refresh, the next refresh requires a sign-in (exit 4).
"""

import argparse, os, random, shutil, signal, subprocess, sqlite3, sys, tempfile, time

arguments = argparse.ArgumentParser()
arguments.add_argument("programs")
arguments.add_argument("--kills", type=int, default=1000)
arguments.add_argument("--seed", type=int, default=None)
arguments = arguments.parse_args()
seed = arguments.seed if arguments.seed is not None else int(time.time())
print(f"seed {seed}, {arguments.kills} kills", flush=True)
chance = random.Random(seed)

folder = tempfile.mkdtemp(prefix="authctl-chaos.")
authctl = os.path.join(os.path.abspath(arguments.programs), "authctl")
environment = {
    "PATH": os.environ["PATH"], "HOME": folder, "AUTHCTL_CONFIG_DIR": folder + "/config",
    "BROWSER": "curl -sS -L -o /dev/null",
}
emulator = subprocess.Popen(
    [os.path.join(os.path.abspath(arguments.programs), "authctl-emulator"), "--auto-approve"],
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
issuer = emulator.stdout.readline().strip()
with open(folder + "/secret", "w") as file:
    file.write("client-secret-1\n")
commands = {
    "add": ["providers", "add", "oidc.test", "--issuer", issuer, "--client-id", "emulator-client"],
    "signin": ["signin", "--provider", "oidc.test"],
    "refresh": ["token", "--force-refresh"],
    "signout": ["signout"],
}


def start(*words):
    return subprocess.Popen(
        [authctl, *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)


def run(*words, allowed=(0,)):
    process = start(*words)
    output, errors = process.communicate(timeout=600)
    if process.returncode not in allowed:
        raise SystemExit(f"FAILED in {folder}: authctl {' '.join(words)}: exit {process.returncode}\n{errors}")
    return process.returncode, output


def check_integrity():
    """Checks the integrity of the database."""
    database = sqlite3.connect(folder + "/config/authctl.db")
    assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "the database is damaged"
    database.close()


counts = {"killed": 0, "finished first": 0, "lost to the provider": 0, "fresh stores": 0}
by_command = dict.fromkeys(commands, 0)
# The measured duration of each command, so that kills are spread over it.
lengths = dict.fromkeys(commands, 0.05)

try:
    while counts["killed"] < arguments.kills:
        name = chance.choice(list(commands))
        if name == "add" and chance.random() < 0.7:
            # The first use, which creates the store.
            shutil.rmtree(folder + "/config", ignore_errors=True)
            counts["fresh stores"] += 1
        else:
            run(*commands["add"])
            if name in ("refresh", "signout"):
                # A user must be signed in, with a valid refresh token.
                if run("token", allowed=(0, 4))[0] == 4:
                    run(*commands["signin"])
        began = time.monotonic()
        process = start(*commands[name])
        try:
            process.communicate(timeout=chance.random() * lengths[name])
            lengths[name] = 0.9 * lengths[name] + 0.1 * (time.monotonic() - began) * 1.1
            counts["finished first"] += 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            counts["killed"] += 1
            by_command[name] += 1
            lengths[name] = min(1.0, lengths[name] * 1.02)
        # The next process finds a usable store.
        run(*commands["add"])
        run("status", allowed=(0, 4))
        code, _ = run("token", allowed=(0, 4))
        if code == 0:
            code, _ = run(*commands["refresh"], allowed=(0, 4))
            if code == 4:
                if name != "refresh":
                    raise SystemExit(f"FAILED in {folder}: killed {name}, and the refresh token is lost")
                counts["lost to the provider"] += 1
        elif name == "refresh":
            raise SystemExit(f"FAILED in {folder}: a killed refresh signed the user out")
        if code == 4:
            run(*commands["signin"])
            run(*commands["refresh"])
        check_integrity()
    left = [name for name in os.listdir(folder + "/config") if name.endswith(".tmp") and "config.yaml" not in name]
    if left:
        raise SystemExit(f"FAILED in {folder}: left over: {left}")
    print(", ".join(f"{value} {name}" for name, value in counts.items()))
    print("killed: " + ", ".join(f"{name} {value}" for name, value in by_command.items()))
    shutil.rmtree(folder)
finally:
    emulator.terminate()
    emulator.wait()
