"""Functions for the scripts that start real identity providers: ports, processes, waiting."""
import os
import random
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

# The longest time that a story waits for an event, in seconds.
PATIENCE = float(os.environ["PATIENCE"])


def free_port():
    """A free loopback port below the range of outgoing connections, which no other story of this run takes."""
    while True:
        port = random.randint(20000, 31999)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                os.mkdir(os.path.join(os.environ["PORTS"], str(port)))
                return port
            except OSError:
                continue


def start(directory, command, environment=None):
    """Starts a server as the leader of its own process group, and stores its process ID in directory/pid."""
    with open(os.path.join(directory, "log"), "ab") as log:
        process = subprocess.Popen(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True)
    with open(os.path.join(directory, "pid"), "w") as file:
        file.write(str(process.pid))
    return process


def wait_for(url, process):
    """Waits until the server responds, and fails if it has ended."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return answer.read()
        except urllib.error.HTTPError:
            return b""
        except OSError:
            if process.poll() is not None:
                raise SystemExit(f"the server ended with status {process.returncode}")
            if time.monotonic() > deadline:
                raise SystemExit(f"no answer from {url}")
            time.sleep(0.05)


def stop(directory):
    """Ends the server that was started in a directory, with its child processes."""
    try:
        with open(os.path.join(directory, "pid")) as file:
            group = int(file.read())
    except FileNotFoundError:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(group, number)
        except ProcessLookupError:
            return
        for _ in range(60):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)


def write_env(directory, values):
    """Writes shell variables for a test."""
    with open(os.path.join(directory, "env"), "w") as file:
        for name, value in values.items():
            file.write(f"{name}='{value}'\n")
