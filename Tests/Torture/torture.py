#!/usr/bin/python3
"""Makes every call of a kind fail once, in each command, and checks what is left.

    torture.py DIRECTORY-OF-THE-PROGRAMS LIBRARY [--commands "signin token …"] [--calls "open read …"] [--sample K] [--malloc N]

LIBRARY is fail_once.c, built. Each command runs once to count its calls. Then it runs once for each call, in a copy of the
same home directory, and this call fails. `--sample K` takes each K-th call; of `malloc` about N calls are taken.

After each run:
- the command did not crash, and printed no secret;
- it exited 0, or printed one error with the exit code of its error code;
- the store and the other tool's file are as before or as after the command, and after exit 0 as after;
- `token` works, unless no session was left, or the provider answered and the answer could not be stored.

Swift ends a process that gets no memory, which is not a crash here.
"""

import argparse, collections, concurrent.futures, ctypes, errno, json, mmap, os, re, shutil, signal, sqlite3, subprocess, sys
import tempfile, threading, time, urllib.request

arguments = argparse.ArgumentParser()
arguments.add_argument("programs")
arguments.add_argument("library")
arguments.add_argument("--commands", default="")
arguments.add_argument("--calls", default="")
arguments.add_argument("--sample", type=int, default=1)
arguments.add_argument("--malloc", type=int, default=40)
arguments.add_argument("--workers", type=int, default=os.cpu_count())
arguments.add_argument("--only", type=int, default=None, help="this call alone, and what it printed")
arguments = arguments.parse_args()

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
programs = os.path.abspath(arguments.programs)
authctl, emulator = f"{programs}/authctl", f"{programs}/authctl-emulator"
library = os.path.abspath(arguments.library)

# The order of `enum kind` in fail_once.c.
CALLS = {
    "open": errno.EACCES, "read": errno.EIO, "write": errno.ENOSPC, "fsync": errno.EIO, "rename": errno.EIO,
    "lock": errno.ENOLCK, "stat": errno.EACCES, "mmap": errno.ENOMEM, "connect": errno.ECONNREFUSED,
    "send": errno.EPIPE, "recv": errno.ECONNRESET, "random": errno.ENOSYS, "malloc": errno.ENOMEM,
}
PASSPHRASE = "torture of a passphrase"


class Report(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_ulong * len(CALLS)), ("failed", ctypes.c_ulong), ("what", ctypes.c_char * 256)]


def exit_codes():
    text = open(f"{root}/Sources/AuthCore/Base/ErrorCode.swift").read()
    return {code: int(number) for code, number in re.findall(r'Self\(\s*"([a-z-]+)", exit: (\d+)', text)}


EXIT_CODES = exit_codes()
# The error codes for a failing system. Other codes would blame the user or the provider.
SYSTEM_CODES = {
    "store-unavailable", "store-busy", "vault-unavailable", "output-failed", "network-request-failed", "tool-not-set-up",
    "command-not-run", "timeout",
}


TABLES = {"account", "current_account", "identity", "session", "pending_credential", "password", "account_name"}


class Emulator:
    def __init__(self, folder, name):
        self.record = f"{folder}/{name}.secrets"
        open(self.record, "w").close()
        self.position, self.known = 0, set()
        self.process = subprocess.Popen(
            [emulator, "--auto-approve", "--keys", f"{folder}/keys-{name}", "--record", self.record],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()

    def secrets(self):
        with open(self.record, "rb") as file:
            file.seek(self.position)
            text = file.read()
        end = text.rfind(b"\n") + 1
        self.position += end
        self.known.update(line for line in text[:end].decode().split("\n") if len(line) >= 8)
        return self.known

    def token_requests(self):
        with urllib.request.urlopen(f"{self.url}/emulator/requests") as answer:
            return sum(count for name, count in json.load(answer).items() if name.split()[0] == "token")


class Worker:
    """A folder with a home directory, and two providers."""

    def __init__(self, folder):
        self.folder = folder
        os.mkdir(folder)
        self.home = f"{folder}/home"
        self.emulators = [Emulator(folder, "one"), Emulator(folder, "two")]
        self.issuer = self.emulators[0].url
        self.report_file = f"{folder}/report"
        with open(self.report_file, "wb") as file:
            file.write(bytes(ctypes.sizeof(Report)))
        self.memory = mmap.mmap(os.open(self.report_file, os.O_RDWR), ctypes.sizeof(Report))
        self.templates = {}
        with open(os.open(f"{folder}/passphrase", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(PASSPHRASE + "\n")

    def environment(self):
        return {
            "PATH": f"{self.home}/bin:{os.environ['PATH']}", "HOME": self.home, "LANG": "C.UTF-8",
            "AUTHCTL_SYSTEM_CONFIG_DIR": f"{self.folder}/organization", "BROWSER": "curl -sS -L -m 10 -o /dev/null",
            "AUTHCTL_PASSPHRASE_FILE": f"{self.folder}/passphrase", "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, words, call=-1, number=0, code=0, timeout=60):
        environment = self.environment()
        if call is not None and call >= -1 and number >= 0 and code is not None:
            environment |= {
                "LD_PRELOAD": library, "FAIL_ONCE": self.report_file, "FAIL_ONCE_PROGRAM": "authctl",
                "FAIL_ONCE_CALL": str(call), "FAIL_ONCE_NUMBER": str(number), "FAIL_ONCE_ERRNO": str(code),
            }
        self.memory[:] = bytes(len(self.memory))
        return subprocess.run(
            [authctl, *words], env=environment, cwd=self.home, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)

    def plainly(self, *words):
        return self.run(words, code=None)

    def works(self, *words):
        done = self.plainly(*words)
        if done.returncode != 0:
            raise SystemExit(f"authctl {' '.join(words)}: exit {done.returncode}: {done.stderr.decode()}")
        return done

    def report(self):
        return Report.from_buffer_copy(self.memory)

    def fill(self, command):
        """Creates the home directory before the command."""
        if command.isFresh:
            self.clear()
            command.prepare(self)
            return
        if command.name not in self.templates:
            self.clear()
            command.prepare(self)
            self.templates[command.name] = f"{self.folder}/{command.name}.template"
            shutil.copytree(self.home, self.templates[command.name], symlinks=True)
        else:
            shutil.rmtree(self.home)
            shutil.copytree(self.templates[command.name], self.home, symlinks=True)

    def clear(self):
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(f"{self.home}/bin")

    def stop(self):
        for emulator in self.emulators:
            emulator.process.terminate()
            emulator.process.wait()

    def secrets(self):
        found = {PASSPHRASE}.union(*(emulator.secrets() for emulator in self.emulators))
        try:
            with open(f"{self.home}/.config/authctl/key") as file:
                found.add(file.read().strip("\0\n"))
        except OSError:
            pass
        found.discard("")
        return found

    # The current state, without values that differ in each run, such as times and account IDs.

    def files(self):
        """Returns the files of other tools, and files in the store's directory that must not remain there."""
        found = {}
        for folder, names, files in os.walk(self.home):
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), self.home)
                if not path.startswith(".config/authctl/"):
                    with open(os.path.join(folder, name), "rb") as file:
                        found[path] = os.stat(file.fileno()).st_mode, file.read()
                elif name.endswith(".tmp"):
                    found[path] = None
        return found

    def rows(self):
        path = f"{self.home}/.config/authctl/authctl.db"
        # A store without rows is equivalent to no store.
        found = {"vault": "file"}
        if os.path.exists(path) and os.path.getsize(path) > 0:
            database = sqlite3.connect(path)
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is damaged"
            tables = {name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            for table in TABLES & tables:
                count = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
                if count:
                    found[table] = count
            # After a failed move, another vault may have a copy of the key. The store records this.
            for kind, in database.execute("SELECT kind FROM vault") if "vault" in tables else []:
                found["vault"] = kind
            database.close()
        return found

    def state(self):
        listed = self.plainly("accounts", "list", "--json")
        if listed.returncode != 0:
            return f"accounts list: exit {listed.returncode}: {listed.stderr.decode()}"
        accounts = json.loads(listed.stdout)["accounts"]
        shown = [
            (account["email"], account.get("current"), sorted(data["providerId"] for data in account["providerData"]))
            for account in accounts]
        return {"accounts": sorted(shown), "rows": self.rows(), "files": self.files()}


class Command:
    isFresh = False
    # The exit codes of a later `token`, before and after the command.
    before, after = 0, 0
    printsToken = False
    # Error codes that are also correct if the failing call uses a file with this text in its name.
    about, codes = "", set()

    def __init__(self, name, words, prepare, **other):
        self.name, self.words, self.prepare = name, words, prepare
        for key, value in other.items():
            setattr(self, key, value)


def added(worker):
    worker.works(
        "providers", "add", "oidc.test", "--issuer", worker.issuer, "--client-id", "emulator-client", "--api-host", worker.issuer)


def signed_in(worker):
    added(worker)
    worker.works("signin", "--provider", "oidc.test")


def linkable(worker):
    signed_in(worker)
    worker.works("providers", "add", "oidc.two", "--issuer", worker.emulators[1].url, "--client-id", "emulator-client")


def sealed(worker):
    signed_in(worker)
    worker.works("profile", "set", "--vault", "passphrase")


GIT = '[user]\n\tname = Ada\n[credential]\n\thelper = cache\n'
AWS = "[default]\nregion = eu-west-1\n"
MCP = '{"mcpServers": {"other": {"type": "http", "url": "https://mcp.example.com/"}}}\n'
DOCKER = '{"auths": {}, "credHelpers": {"HOST": "former"}}\n'
KUBE = "apiVersion: v1\nkind: Config\nusers:\n- name: other\n  user: {}\n"


def tools(worker):
    signed_in(worker)
    host = worker.issuer.removeprefix("http://")
    for name, text in (
        (".gitconfig", GIT), (".aws/config", AWS), (".mcp.json", MCP), (".docker/config.json", DOCKER.replace("HOST", host)),
        (".kube/config", KUBE),
    ):
        os.makedirs(os.path.dirname(f"{worker.home}/{name}"), exist_ok=True)
        with open(f"{worker.home}/{name}", "w") as file:
            file.write(text)


def installed(tool):
    def prepare(worker):
        tools(worker)
        worker.works(*INSTALL[tool](worker))
    return prepare


INSTALL = {
    "git": lambda worker: ["credential", "install", "git", "--host", worker.issuer],
    "docker": lambda worker: ["credential", "install", "docker", "--host", worker.issuer, "--bin-dir", f"{worker.home}/bin"],
    "kubectl": lambda worker: ["credential", "install", "kubectl", "--provider", "oidc.test"],
    "aws": lambda worker: [
        "credential", "install", "aws", "--provider", "oidc.test", "--role-arn", "arn:aws:iam::123456789012:role/ci"],
    "mcp": lambda worker: ["credential", "install", "mcp", "--resource", "https://mcp.example.com/mcp"],
}


def uninstall(tool):
    more = (lambda worker: ["--bin-dir", f"{worker.home}/bin"]) if tool == "docker" else (lambda worker: [])
    return lambda worker: ["credential", "uninstall", tool, *more(worker)]


def fixed(*words):
    return lambda worker: list(words)


PASSPHRASE_FILE = {"about": "/passphrase", "codes": {"invalid-configuration"}}
COMMANDS = [
    Command("signin", fixed("signin", "--provider", "oidc.test", "--timeout", "5"), added, before=4),
    Command("token", fixed("token"), signed_in, printsToken=True),
    Command("refresh", fixed("token", "--force-refresh"), signed_in, isFresh=True, printsToken=True),
    Command("link", fixed("link", "--provider", "oidc.two", "--timeout", "5"), linkable),
    Command("signout", fixed("signout"), signed_in, after=4),
    Command("vault", fixed("profile", "set", "--vault", "passphrase"), signed_in, **PASSPHRASE_FILE),
    Command("vault-back", fixed("profile", "set", "--vault", "file"), sealed, **PASSPHRASE_FILE),
] + [
    command
    for tool in INSTALL if tool != "kubectl" or shutil.which("kubectl")
    for command in (
        Command(f"install-{tool}", INSTALL[tool], tools), Command(f"uninstall-{tool}", uninstall(tool), installed(tool)))
]


def one_error(done):
    """Returns the code of the only error, or None if the output is not exactly one valid error."""
    lines = done.stderr.decode(errors="replace").splitlines()
    errors = [line for line in lines if line.startswith("authctl: error: ")]
    found = re.fullmatch(r"authctl: error: .* \(([a-z-]+)\)", errors[0]) if len(errors) == 1 else None
    return found.group(1) if found else None


def check(worker, command, before, after, done, report, call, answered):
    """Returns the problems after the run."""
    code, wrong = done.returncode, []
    what = report.what.decode(errors="replace")
    if code < 0:
        # libdispatch ends a process that cannot read its own threads in /proc (docs/decisions/046).
        if call != "malloc" and not ("/proc/" in what and "libdispatch" in what):
            wrong.append(f"crashed: {signal.Signals(-code).name}")
    printed = done.stderr.decode(errors="replace")
    if not command.printsToken:
        printed += done.stdout.decode(errors="replace")
    if any(secret in printed for secret in worker.secrets()):
        wrong.append("printed a secret")
    elif call != "malloc" and any(marker in printed for marker in ("Fatal error", "internal-error")):
        wrong.append("an error without a text")
    # If the failing call is the write of the error message, no message is expected.
    if code > 0 and not (call == "write" and " (2)" in what):
        kind = one_error(done)
        if kind is None:
            wrong.append("not one error line")
        elif EXIT_CODES.get(kind) != code and not (kind == "command-not-run" and code in (126, 127)):
            wrong.append(f"exit {code} for {kind}")
        elif call != "malloc" and kind not in SYSTEM_CODES | (command.codes if command.about in what else set()):
            wrong.append(f"the error {kind}")
    token = worker.plainly("token", "--provider", "oidc.test")
    now = worker.state()
    if code < 0 and isinstance(now, dict):
        # A process that ends without memory can leave the temporary file that should replace the other tool's, as after SIGKILL.
        now["files"] = {path: file for path, file in now["files"].items() if not re.search(r"\.authctl-\d+$", path)}
    if now == after and (now != before or code == 0 or after == before):
        place, expected = "after", command.after
    elif now == before:
        place, expected = "before", command.before
        if code == 0:
            wrong.append("exit 0, but nothing changed")
    else:
        place, expected = "between", None
        # Two files cannot be replaced at once. If the process ended without memory after the first, the command, run again,
        # completes it.
        ended = code < 0 and call == "malloc" and difference(before, after, now).startswith(MIXED)
        if not (ended and worker.run(command.words(worker)).returncode == 0 and worker.state() == after):
            wrong.append(f"neither before nor after: {difference(before, after, now)}")
    if place != "between":
        if token.returncode != expected:
            wrong.append(f"{place}: the next token: exit {token.returncode}: {token.stderr.decode()}")
        elif expected == 0 and token.stdout.decode().strip() not in worker.secrets():
            wrong.append(f"{place}: the next token is {token.stdout.decode()!r}")
    if command.name == "refresh" and not wrong:
        again = worker.plainly("token", "--force-refresh")
        if again.returncode != 0 and not (code != 0 and answered and again.returncode == 4):
            wrong.append(f"the next refresh: exit {again.returncode}: {again.stderr.decode()}")
        elif again.returncode == 4:
            lost[command.name] += 1
    if code != 0:
        found = diagnosis(worker)
        # If a move of the key was not completed, doctor prints the command that completes or undoes it.
        if [check["name"] for check in found] == ["vault"]:
            worker.plainly(*found[0]["remedy"].split()[1:])
            found = diagnosis(worker)
        if found:
            wrong.append(f"doctor: {found}")
    return wrong


def diagnosis(worker):
    """Returns the problems of the store that doctor reports."""
    checks = json.loads(worker.plainly("doctor", "--json").stdout)["checks"]
    return [check for check in checks if check["status"] == "wrong" and check["name"] in ("store", "directory", "vault")]


MIXED = "one part as before, another as after"


def difference(before, after, now):
    if not isinstance(now, dict) or not isinstance(before, dict):
        return now
    found = []
    for part in now:
        if now[part] != before[part] and now[part] != after[part]:
            if part == "files":
                names = set(now[part]) | set(before[part]) | set(after[part])
                for name in sorted(names):
                    if now[part].get(name, 0) not in (before[part].get(name, 0), after[part].get(name, 0)):
                        found.append(f"{name}: {now[part].get(name, 'is gone')!r}")
            else:
                found.append(f"{part}: {now[part]}")
    return "; ".join(found) or MIXED + ": " + ", ".join(
        f"{part} {'before' if now[part] == before[part] else 'after'}" for part in now if before[part] != after[part])


counts = collections.Counter()
outcomes = collections.Counter()
lost = collections.Counter()
problems = []
guard = threading.Lock()


def torture(worker, command, call, number, before, after):
    worker.fill(command)
    answers = worker.emulators[0].token_requests() if command.name == "refresh" else 0
    index = list(CALLS).index(call)
    try:
        done = worker.run(command.words(worker), index, number, CALLS[call])
    except subprocess.TimeoutExpired:
        report_problem(f"{command.name} {call} {number}: did not end")
        return
    report = worker.report()
    if not report.failed:
        return
    answered = command.name == "refresh" and worker.emulators[0].token_requests() > answers
    try:
        wrong = check(worker, command, before, after, done, report, call, answered)
    except Exception as problem:
        wrong = [f"{type(problem).__name__}: {problem}"]
    with guard:
        counts[command.name, call] += 1
        outcomes[command.name, done.returncode] += 1
    if wrong:
        said = [line for line in done.stderr.decode(errors="replace").splitlines() if "authctl: " in line or "rror" in line]
        report_problem(
            f"{command.name} {call} {number} ({report.what.decode(errors='replace')}): " + "; ".join(wrong)
            + f"\n    exit {done.returncode}: " + "\n    ".join(said))
    if arguments.only:
        print(done.returncode, report.what, done.stdout.decode(), done.stderr.decode(), sep="\n")


def report_problem(text):
    with guard:
        problems.append(text)
        print(text, flush=True)


def moments(call, total):
    """Returns the numbers of the calls to fail."""
    if arguments.only:
        return [arguments.only] if total >= arguments.only else []
    return range(1, total + 1, max(1, total // arguments.malloc) if call == "malloc" else 1)


def main():
    selected = arguments.commands.split()
    unknown = set(selected) - {command.name for command in COMMANDS}
    if unknown:
        raise SystemExit(f"not a command: {', '.join(sorted(unknown))}; known: {' '.join(command.name for command in COMMANDS)}")
    commands = [command for command in COMMANDS if not selected or command.name in selected]
    calls = arguments.calls.split() or list(CALLS)
    folder = tempfile.mkdtemp(prefix="authctl-torture.")
    workers = []
    try:
        workers = [Worker(f"{folder}/{number}") for number in range(arguments.workers)]
        began = time.monotonic()
        position = 0
        for command in commands:
            # Each worker has the state of its own files before and after the command.
            known = []
            for worker in workers:
                worker.fill(command)
                before = worker.state()
                done = worker.run(command.words(worker))
                report = worker.report()
                if done.returncode != 0:
                    raise SystemExit(f"{command.name}: exit {done.returncode}: {done.stderr.decode()}")
                known.append((worker, before, worker.state(), report))
            found = [
                (call, number) for call in calls for number in moments(call, known[0][3].counts[list(CALLS).index(call)])]
            # Every K-th call of all commands together.
            jobs = found[-position % arguments.sample::arguments.sample]
            jobs.reverse()
            position += len(found)

            def work(place):
                worker, before, after, _ = place
                while True:
                    with guard:
                        if not jobs:
                            return
                        call, number = jobs.pop()
                    torture(worker, command, call, number, before, after)

            with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
                list(pool.map(work, known))
            print(f"{command.name}: {sum(counts[command.name, call] for call in calls)}", flush=True)
        table(commands, calls)
        print(f"{sum(counts.values())} failures in {time.monotonic() - began:.0f} s; sessions that only the provider kept: {lost.total()}")
    finally:
        for worker in workers:
            worker.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if problems:
        raise SystemExit(f"{len(problems)} problems")
    if not counts:
        raise SystemExit("nothing failed: the library was not loaded")


def table(commands, calls):
    print(f"{'':18}" + "".join(f"{call:>8}" for call in calls) + "  exit codes")
    for command in commands:
        codes = ", ".join(f"{code}: {count}" for (name, code), count in sorted(outcomes.items()) if name == command.name)
        print(f"{command.name:18}" + "".join(f"{counts[command.name, call]:8}" for call in calls) + "  " + codes)
    print(f"{'all':18}" + "".join(f"{sum(counts[command.name, call] for command in commands):8}" for call in calls))


main()
