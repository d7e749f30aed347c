#!/usr/bin/python3
"""Calls the Secret Service like the desktop, or like another program.

Usage: keyring_client.py locked | lock | unlock FILE | items | set TEXT | set --hex DIGITS
  locked   prints whether the default collection is locked (true or false), or nothing without a service
  lock     locks the collection login
  unlock   unlocks it with the password in the file, like a login
  items    prints the secrets of authctl's items in hexadecimal, one per line
  set      changes the secret of authctl's only item

gnome-keyring registers a client in parallel with its first call. A call that arrives before the registration can crash it, so
the first call here is a harmless one.
"""
import sys

import dbus
import secretstorage

NAME, ROOT = "org.freedesktop.secrets", "/org/freedesktop/secrets"
SERVICE = "org.freedesktop.Secret.Service"
LOGIN = ROOT + "/collection/login"


def main(action, *words):
    bus = dbus.SessionBus()
    if action == "locked" and not bus.name_has_owner(NAME):
        return

    def call(path, interface, method, signature, arguments):
        return bus.call_blocking(NAME, path, interface, method, signature, arguments)

    call(ROOT, SERVICE, "ReadAlias", "s", ("default",))
    if action == "locked":
        locked = call(
            ROOT + "/aliases/default", dbus.PROPERTIES_IFACE, "Get", "ss",
            ("org.freedesktop.Secret.Collection", "Locked"))
        print("true" if locked else "false")
    if action == "lock":
        call(ROOT, SERVICE, "Lock", "ao", ([LOGIN],))
    if action == "unlock":
        _, session = call(ROOT, SERVICE, "OpenSession", "sv", ("plain", ""))
        octets = [dbus.ByteArray(b""), dbus.ByteArray(open(words[0], "rb").read())]
        secret = dbus.Struct([session, *octets, "text/plain"], signature="oayays")
        call(
            ROOT, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword", "o(oayays)",
            (LOGIN, secret))
    if action in ("items", "set"):
        items = find(secretstorage.dbus_init())
        if action == "items":
            for item in items:
                attributes = item.get_attributes()
                assert set(attributes) >= {"application", "store", "purpose", "version"}, attributes
                print("locked" if item.is_locked() else item.get_secret().hex())
        else:
            (item,) = items
            item.set_secret(bytes.fromhex(words[1]) if words[0] == "--hex" else words[0].encode())


def find(bus):
    """authctl's items. A search that arrives before gnome-keyring has registered the client fails as not implemented."""
    try:
        return list(secretstorage.search_items(bus, {"application": "authctl"}))
    except Exception as error:
        if "is not implemented" not in str(error):
            raise
        return list(secretstorage.search_items(bus, {"application": "authctl"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
