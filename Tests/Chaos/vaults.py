#!/usr/bin/python3
"""Kills moves of a store's key between its file and the keyring at random moments, and checks which vault has the key.

    vaults.py AUTHCTL [--kills N] [--seed S]

Requires an unlocked keyring, and a store with a token. Each direction is killed N times. After each kill, the vault that the
store names has the key, and `token` prints the same token. The same move again is completed, and then only one vault has the
key.
"""
import argparse
import base64
import os
import random
import sqlite3
import subprocess
import sys
import time

import secretstorage

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Servers"))
import keyring_client

arguments = argparse.ArgumentParser()
arguments.add_argument("authctl")
arguments.add_argument("--kills", type=int, default=50)
arguments.add_argument("--seed", type=int, default=None)
arguments = arguments.parse_args()
seed = arguments.seed if arguments.seed is not None else int(time.time())
print(f"seed {seed}", flush=True)
chance = random.Random(seed)
file = os.path.join(os.environ["HOME"], ".config/authctl/key")
database = os.path.join(os.path.dirname(file), "authctl.db")
bus = secretstorage.dbus_init()


def run(*words):
    done = subprocess.run(
        [arguments.authctl, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, f"{' '.join(words)}: exit {done.returncode}: {done.stderr}"
    return done.stdout


def decoded(text):
    return base64.urlsafe_b64decode(text.strip() + "=")


def places():
    """The vaults that have the key. Another key is an error."""
    found = set()
    if os.path.exists(file):
        text = open(file).read()
        # The file is overwritten before it is removed.
        if text.strip("\0"):
            assert decoded(text) == key, "the file has another key"
            found.add("file")
    items = keyring_client.find(bus)
    assert len(items) <= 1, "two items"
    if items:
        assert items[0].get_secret() == key, "the keyring has another key"
        found.add("keyring")
    return found


def move_completely(kind):
    run("profile", "set", "--vault", kind)
    assert places() == {kind}, f"after the move to {kind} the key is in {places()}"
    assert os.path.exists(file) == (kind == "file"), "what is left of the file"


def current_vault():
    """The vault that the store names."""
    with sqlite3.connect(database) as db:
        return db.execute("SELECT kind FROM vault").fetchone()[0]


key = decoded(open(file).read())
token = run("token")
# The measured duration of a move.
duration = {}
for goal in ("keyring", "file"):
    began = time.monotonic()
    move_completely(goal)
    duration[goal] = time.monotonic() - began
kills, seen, goal = {"keyring": 0, "file": 0}, {}, "keyring"
while min(kills.values()) < arguments.kills:
    process = subprocess.Popen(
        [arguments.authctl, "profile", "set", "--vault", goal], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(chance.uniform(0, duration[goal]))
    except subprocess.TimeoutExpired:
        process.kill()
    if process.wait() == -9:
        kills[goal] += 1
        found, kind = places(), current_vault()
        assert kind in found, f"the store names {kind}, and the key is in {found}"
        assert run("token") == token
        what = f"to {goal}: {kind} of {'+'.join(sorted(found))}"
        seen[what] = seen.get(what, 0) + 1
    move_completely(goal)
    # Moves the key away from its current vault.
    goal = "file" if goal == "keyring" else "keyring"
for goal, count in kills.items():
    print(f"{count} killed on the way to {goal}")
for what, count in sorted(seen.items()):
    print(f"{count} × {what}")
