"""Kills a first `providers add` before each system call in turn that changes what other processes see of its files; the
same command again must work.

    every_call.py AUTHCTL ISSUER SECRET-FILE

It wants strace(1), which does the killing.
"""

import collections, concurrent.futures, os, re, shutil, subprocess, sys, tempfile

authctl, issuer, secret = sys.argv[1:]
changing = "mkdir mkdirat write pwrite64 ftruncate fchmod rename renameat renameat2 link linkat unlink unlinkat".split()
command = [authctl, "providers", "add", "oidc.test", "--issuer", issuer, "--client-id", "emulator-client", "--client-secret-file", secret]


def environment(folder):
    return {"PATH": os.environ["PATH"], "HOME": folder, "AUTHCTL_CONFIG_DIR": folder + "/config"}


def run(words, folder):
    return subprocess.run(words, env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)


def killed(call, number):
    """Kills at the number-th such call of a thread; says whether that came to pass, and what was wrong then."""
    folder = tempfile.mkdtemp(prefix="authctl-calls.")
    try:
        trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
        isKilled = run(trace + command, folder).returncode != 0
        for words in (command, [authctl, "providers", "check", "oidc.test"]):
            again = run(words, folder)
            if again.returncode != 0:
                return isKilled, f"killed at {call} {number}: {' '.join(words[1:3])}: exit {again.returncode}: {again.stderr}"
        left = [name for name in os.listdir(folder + "/config") if name.endswith(".tmp")]
        return isKilled, f"killed at {call} {number}: left over: {left}" if left else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


folder = tempfile.mkdtemp(prefix="authctl-calls.")
first = run(["strace", "-f", "-qq", "-o", folder + "/trace", "-e", "trace=openat," + ",".join(changing)] + command, folder)
if first.returncode != 0:
    raise SystemExit(f"not under strace: {first.stderr}")
# strace counts each call of each thread by itself. Of the writes to one file in a row the first and the last are taken: between
# them it is half written either way.
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
shutil.rmtree(folder)
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    results = list(pool.map(lambda moment: killed(*moment), sorted(moments)))
wrong = [text for _, text in results if text]
print(f"{len(results)} moments, {sum(isKilled for isKilled, _ in results)} kills")
if wrong or sum(isKilled for isKilled, _ in results) < len(results) * 0.8:
    raise SystemExit("\n".join(wrong) or "too few kills: the calls are others each time")
