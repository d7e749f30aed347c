"""Stories: the scripts below `Cases`, which use the built programs and can be read as documentation."""
import concurrent.futures
import dataclasses
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import tempfile

import schemas

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Tests" / "ScriptTests"
# The time limit of a story in seconds, for a busy machine.
LIMIT = 900
# Stories mostly wait for other processes.
PARALLEL = 6
# What a developer may set for a story.
PASSED_ON = ["SEED", "BRIDGES_SECONDS", "DOCUMENTS_SHOW", "SDK_SECONDS", "SDK_LIFE"]


@dataclasses.dataclass(frozen=True)
class Story:
    """A script, or a part of one. Each part starts with `#: A sentence.` and runs separately, after the lines before the first
    part. `directory` is the account directory: `local` or `firebase`."""

    file: str
    sentence: str | None
    script: str
    directory: str = "local"
    own_network: bool = False

    @property
    def name(self):
        place = "" if self.directory == "local" else f" [{self.directory}]"
        return (f"{self.file}: {self.sentence}" if self.sentence else self.file) + place

    def on_each_directory(self):
        yield self
        if "# Runs on both directories." in self.script and "# Local directory only" not in self.script:
            yield dataclasses.replace(self, directory="firebase")


def parts(file, text):
    """The stories of a file."""
    common, *rest = re.split(r"^#: ", text, flags=re.M)
    for part in rest:
        sentence, _, script = part.partition("\n")
        yield from Story(file, sentence, f"{common}#: {sentence}\n{script}").on_each_directory()
    if not rest:
        yield from Story(file, None, text).on_each_directory()


def all_stories():
    for path in sorted((FOLDER / "Cases").rglob("*.sh"), key=lambda path: path.name):
        yield from parts(path.name, path.read_text())


class Runner:
    """Runs stories with the programs of a directory."""

    def __init__(self, programs):
        self.programs, self.processes = os.path.realpath(programs), []
        for name in ["authctl", "authctl-emulator"]:
            if not os.access(f"{self.programs}/{name}", os.X_OK):
                sys.exit(f"{self.programs}/{name} is not built")
        # A directory with a `python3` that starts Debian's interpreter, because a launcher or another build in PATH is slower.
        # It does not load installed packages.
        tools = pathlib.Path(self.programs, "test-tools")
        tools.mkdir(exist_ok=True)
        new = tools / f"python3.{os.getpid()}"
        new.write_text('#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n')
        new.chmod(0o755)
        new.replace(tools / "python3")
        # A directory with an entry for each port that a story of this run uses, so that no two stories use the same port.
        ports = pathlib.Path(self.programs, "test-ports")
        shutil.rmtree(ports, ignore_errors=True)
        ports.mkdir()
        user = pwd.getpwuid(os.getuid()).pw_name
        self.environment = {
            "PATH": f"{tools}:{os.environ['PATH']}", "LANG": "C.UTF-8", "USER": user, "LOGNAME": user, "ROOT": str(ROOT),
            "BIN": self.programs, "KEYS": f"{self.programs}/test-keys", "PORTS": str(ports), "CASES": str(FOLDER / "Cases"),
            **{name: os.environ[name] for name in PASSED_ON if os.environ.get(name)},
        }
        self.schemas = schemas.Schemas(f"{self.programs}/authctl")
        # Gives a story a private network, if the kernel allows that to this user.
        self.network = next(
            (words for words in [["unshare", "--net"], ["unshare", "--net", "--map-root-user"]]
             if subprocess.run([*words, "true"], stderr=subprocess.DEVNULL).returncode == 0), [])

    def run(self, story, limit=LIMIT, **variables):
        """Runs one story in a new directory, with these variables. Returns its status and the end of its output."""
        with tempfile.TemporaryDirectory(prefix="authctl-test.", ignore_cleanup_errors=True) as directory:
            pathlib.Path(directory, "run").mkdir()
            pathlib.Path(directory, "story.sh").write_text(story.script)
            os.mkfifo(f"{directory}/never")
            # It is terminated if this process is killed.
            command = [
                *(self.network if story.own_network else []), "setpriv", "--pdeathsig", "TERM",
                "timeout", "--kill-after=10", str(limit),
                "bash", "-c", '. "$1" && . "$2"', "case", str(FOLDER / "lib.sh"), f"{directory}/story.sh",
            ]
            environment = {**self.environment, "TMPDIR": directory, "NEVER": f"{directory}/never", "DIRECTORY": story.directory,
                           **variables}
            with open(f"{directory}/output", "wb") as output:
                process = subprocess.Popen(
                    command, cwd=f"{directory}/run", env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
            self.processes.append(process)
            status = process.wait()
            output = pathlib.Path(directory, "output").read_bytes()[-6000:].decode(errors="replace")
            log = pathlib.Path(directory, "json")
            try:
                problems = list(self.schemas.problems(log.read_text())) if status == 0 and log.exists() else []
            except ValueError as error:
                problems = [f"the JSON output of a command cannot be read: {error}"]
        return status or bool(problems), "\n".join([output, *problems])

    def run_all(self, stories, ended):
        """Runs several stories at a time, and calls `ended(story, status, output)` for each. Terminates all at an interruption."""
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            running = {pool.submit(self.run, story): story for story in stories}
            try:
                for future in concurrent.futures.as_completed(running):
                    ended(running[future], *future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in self.processes:
                    process.terminate()
                raise
