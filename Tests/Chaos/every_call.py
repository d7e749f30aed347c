"""Kills a first `providers add` before each system call that changes its files; then the same command must work. With the
store of an earlier version, this is the first command of this version: the sessions must be the same as after a command that
was not killed.

    every_call.py AUTHCTL ISSUER SECRET-FILE [STORE.sql]

It requires strace(1), which kills the command.
"""

import base64, collections, concurrent.futures, itertools, os, re, shutil, sqlite3, subprocess, sys, tempfile

authctl, issuer, secret = sys.argv[1:4]
earlier = open(sys.argv[4]).read() if len(sys.argv) > 4 else None
changing = "mkdir mkdirat write pwrite64 ftruncate fchmod rename renameat renameat2 link linkat unlink unlinkat".split()
command = [authctl, "providers", "add", "oidc.test", "--issuer", issuer, "--client-id", "emulator-client", "--client-secret-file", secret]


def environment(folder):
    return {"PATH": os.environ["PATH"], "HOME": folder, "AUTHCTL_CONFIG_DIR": folder + "/config"}


def prepared():
    folder = tempfile.mkdtemp(prefix="authctl-calls.")
    if earlier:
        os.mkdir(folder + "/config", 0o700)
        # The data key of the stores in the test data.
        key = base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=") + "\n"
        for name, text in (("key", key), ("authctl.db", "")):
            with open(os.open(f"{folder}/config/{name}", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write(text)
        with sqlite3.connect(folder + "/config/authctl.db") as database:
            database.executescript("PRAGMA synchronous = OFF; BEGIN;" + earlier + "COMMIT;")
    return folder


def sessions(folder):
    """The schema version and the sessions."""
    with sqlite3.connect(folder + "/config/authctl.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute("PRAGMA user_version").fetchall() + database.execute("SELECT * FROM session").fetchall()


def run(words, folder):
    return subprocess.run(words, env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)


def traced(options, folder, processor):
    """Runs the command under strace, which counts the calls of each thread separately. On one processor, libdispatch has one
    thread, so that the numbers of the calls are the same in each run."""
    return run(["taskset", "-c", str(processor), "strace", "-f", "-qq", *options, *command], folder)


def killed(call, number, processor):
    """Kills the command at this call of a thread. Returns whether it was killed, and a problem that was found afterwards."""
    folder = prepared()
    try:
        options = ["-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
        isKilled = traced(options, folder, processor).returncode != 0
        for words in (command, [authctl, "providers", "check", "oidc.test"]):
            again = run(words, folder)
            if again.returncode != 0:
                return isKilled, f"killed at {call} {number}: {' '.join(words[1:3])}: exit {again.returncode}: {again.stderr}"
        if sessions(folder) != expected:
            return isKilled, f"killed at {call} {number}: other sessions"
        left = [name for name in os.listdir(folder + "/config") if name.endswith(".tmp")]
        return isKilled, f"killed at {call} {number}: left over: {left}" if left else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


processors = sorted(os.sched_getaffinity(0))
folder = prepared()
first = traced(["-o", folder + "/trace", "-e", "trace=openat," + ",".join(changing)], folder, processors[0])
if first.returncode != 0:
    raise SystemExit(f"not under strace: {first.stderr}")
# Of consecutive writes to one file, only the first and the last are
# tested, because between them the file is always partly written.
counts, calls = collections.Counter(), []
with open(folder + "/trace") as trace:
    for line in trace:
        found = re.match(r"(\d+) +(\w+)\((\w+)", line)
        if not found:
            continue
        thread, call, file = found.groups()
        counts[thread, call] += 1
        if call != "openat" or "O_CREAT" in line:
            calls.append((call, counts[thread, call], file if "write" in call else None))
moments = set()
for before, (call, number, file), after in zip([None, *calls], calls, [*calls[1:], None]):
    if file is None or not before or not after or before[2] != file or after[2] != file:
        moments.add((call, number))
expected = sessions(folder)
shutil.rmtree(folder)
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    results = list(pool.map(killed, *zip(*sorted(moments)), itertools.cycle(processors)))
wrong = [text for _, text in results if text]
print(f"{len(results)} moments, {sum(isKilled for isKilled, _ in results)} kills")
if wrong or sum(isKilled for isKilled, _ in results) < len(results) * 0.8:
    raise SystemExit("\n".join(wrong) or "too few kills: the calls differ between runs")
