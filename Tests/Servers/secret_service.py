#!/usr/bin/python3
"""A Secret Service that behaves differently from gnome-keyring, with a scripted prompter.

Usage: secret_service.py [FLAGS]
  --collection NAME   the only collection, alias `default` (login)
  --sessions KIND     encrypted (also supports plain sessions), or plain (supports only those)
  --locked            the collection is locked
  --prompt HOW        the result of a prompt: opens, dismissed (after a delay), fails (immediately), silent, late (the
                      Prompt call returns after the result), lies (wrongly reports an unlock), dies (the service ends)
  --hidden            items of a locked collection are not listed
  --terse             items have no properties
  --creating          creating an item requires a prompt
  --secret FILE       the secret of every item, instead of the stored one
  --strangers         a client is registered only after its first call was answered, as can happen with gnome-keyring: before
                      that, OpenSession and properties crash the service, aliases are empty, and SearchItems is unknown
  --searchless        SearchItems is not implemented
  --undeletable       Delete reports success and deletes nothing
Prints the line "ready", and then one line for each call. Stores nothing on disk.
"""
import argparse
import hashlib
import hmac
import os
import sys

import dbus
import dbus.service
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

ROOT = "/org/freedesktop/secrets"
SECRET = "org.freedesktop.Secret."
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B"
    "302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6"
    "49286651ECE65381FFFFFFFFFFFFFFFF", 16)
# Milliseconds: longer than a prompter that fails when it starts, and short enough for a test.
USER_DELAY = 400


def log(*words):
    print(*words, flush=True)


class NotSupported(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.DBus.Error.NotSupported"


class IsLocked(dbus.DBusException):
    _dbus_error_name = SECRET + "Error.IsLocked"


class NoSession(dbus.DBusException):
    _dbus_error_name = SECRET + "Error.NoSession"


class UnknownMethod(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.DBus.Error.UnknownMethod"


class NoSuchObject(dbus.DBusException):
    _dbus_error_name = SECRET + "Error.NoSuchObject"


def encrypted(public):
    """The service's public key, and the shared key."""
    exponent = int.from_bytes(os.urandom(128), "big")
    shared = pow(int.from_bytes(public, "big"), exponent, PRIME).to_bytes(128, "big")
    extracted = hmac.new(bytes(32), shared, hashlib.sha256).digest()
    key = hmac.new(extracted, b"\x01", hashlib.sha256).digest()[:16]
    return pow(2, exponent, PRIME).to_bytes(128, "big"), key


class Prompt(dbus.service.Object):
    def __init__(self, service, action):
        service.prompts += 1
        self.path = f"{ROOT}/prompt/p{service.prompts}"
        super().__init__(service.bus, self.path)
        self.service, self.action = service, action

    @dbus.service.method(SECRET + "Prompt", "s", "", async_callbacks=("reply", "fail"))
    def Prompt(self, window, reply, fail):
        how = self.service.flags.prompt
        log("Prompt", how)
        if how != "late":
            reply()
        if how == "dies":
            GLib.idle_add(self.service.loop.quit)
        if how in ("dismissed", "opens", "late"):
            GLib.timeout_add(USER_DELAY, self.finish, how, reply)
        if how in ("fails", "lies"):
            GLib.idle_add(self.finish, how, reply)

    def finish(self, how, reply):
        objects = self.action() if how in ("opens", "late") else []
        self.Completed(how in ("dismissed", "fails"), dbus.Array(objects, signature="o"))
        if how == "late":
            reply()
        return False

    @dbus.service.method(SECRET + "Prompt", "", "")
    def Dismiss(self):
        log("Dismiss")

    @dbus.service.signal(SECRET + "Prompt", "bv")
    def Completed(self, dismissed, result):
        log("Completed", "dismissed" if dismissed else "opened")


class Item(dbus.service.Object):
    def __init__(self, collection, number, attributes, secret):
        self.path = f"{collection.path}/i{number}"
        super().__init__(collection.service.bus, self.path)
        self.collection, self.attributes, self.secret = collection, attributes, secret

    @dbus.service.method(SECRET + "Item", "o", "(oayays)")
    def GetSecret(self, session):
        log("GetSecret")
        service = self.collection.service
        if self.collection.locked:
            raise IsLocked("the collection is locked")
        secret = open(service.flags.secret, "rb").read() if service.flags.secret else self.secret
        return service.sealed(session, secret)

    @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v", sender_keyword="caller")
    def Get(self, interface, name, caller):
        self.collection.service.ends_for_strangers(caller)
        if self.collection.service.flags.terse:
            raise NotSupported("no properties")
        return {"Attributes": dbus.Dictionary(self.attributes, signature="ss")}[name]

    @dbus.service.method(SECRET + "Item", "", "o")
    def Delete(self):
        log("Delete")
        if self.collection.service.flags.undeletable:
            return "/"
        self.collection.items.remove(self)
        self.remove_from_connection()
        return "/"


class Collection(dbus.service.Object):
    def __init__(self, service):
        self.path = f"{ROOT}/collection/{service.flags.collection}"
        super().__init__(service.bus, self.path)
        self.service, self.locked, self.items, self.made = service, service.flags.locked, [], 0

    @dbus.service.method(SECRET + "Collection", "a{sv}(oayays)b", "oo")
    def CreateItem(self, properties, secret, replace):
        log("CreateItem")
        if self.locked:
            raise IsLocked("the collection is locked")
        attributes = dict(properties[SECRET + "Item.Attributes"])
        value = self.service.opened(secret)

        def create():
            old = [item for item in self.items if item.attributes == attributes]
            if replace and old:
                old[0].secret = value
                return old[0].path
            self.made += 1
            self.items.append(Item(self, self.made, attributes, value))
            return self.items[-1].path

        if self.service.flags.creating:
            return "/", Prompt(self.service, lambda: [create()]).path
        return create(), "/"

    @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v", sender_keyword="caller")
    def Get(self, interface, name, caller):
        self.service.ends_for_strangers(caller)
        return {"Locked": dbus.Boolean(self.locked), "Label": self.service.flags.collection}[name]


class Service(dbus.service.Object):
    def __init__(self, bus, loop, flags):
        self.bus, self.loop, self.flags = bus, loop, flags
        self.sessions, self.prompts, self.known = {}, 0, set()
        super().__init__(bus, ROOT)
        self.collection = Collection(self)

    def is_stranger(self, caller):
        if not self.flags.strangers or caller in self.known:
            return False
        GLib.idle_add(self.known.add, caller, priority=GLib.PRIORITY_HIGH)
        return True

    def ends_for_strangers(self, caller):
        if self.is_stranger(caller):
            log("ended by a stranger")
            os._exit(1)

    def key(self, session):
        if session not in self.sessions:
            raise NoSession("the session does not exist")
        return self.sessions[session]

    def sealed(self, session, secret):
        key = self.key(session)
        if key is None:
            parameters, value = b"", secret
        else:
            parameters, pad = os.urandom(16), padding.PKCS7(128).padder()
            encryptor = Cipher(algorithms.AES(key), modes.CBC(parameters)).encryptor()
            value = encryptor.update(pad.update(secret) + pad.finalize()) + encryptor.finalize()
        octets = [dbus.ByteArray(parameters), dbus.ByteArray(value)]
        return dbus.Struct([dbus.ObjectPath(session), *octets, "application/octet-stream"], signature="oayays")

    def opened(self, secret):
        session, parameters, value, _ = secret
        key, parameters, value = self.key(session), bytes(parameters), bytes(value)
        if key is None:
            return value
        decryptor, pad = Cipher(algorithms.AES(key), modes.CBC(parameters)).decryptor(), padding.PKCS7(128).unpadder()
        return pad.update(decryptor.update(value) + decryptor.finalize()) + pad.finalize()

    @dbus.service.method(SECRET + "Service", "sv", "vo", sender_keyword="caller")
    def OpenSession(self, algorithm, value, caller):
        log("OpenSession", algorithm)
        self.ends_for_strangers(caller)
        path = dbus.ObjectPath(f"{ROOT}/session/s{len(self.sessions)}")
        if algorithm == "plain":
            self.sessions[path] = None
            return dbus.String("", variant_level=1), path
        if self.flags.sessions == "plain":
            raise NotSupported("only plain sessions")
        public, self.sessions[path] = encrypted(bytes(value))
        return dbus.Array(public, signature="y", variant_level=1), path

    @dbus.service.method(SECRET + "Service", "a{ss}", "aoao", sender_keyword="caller")
    def SearchItems(self, attributes, caller):
        log("SearchItems")
        if self.is_stranger(caller) or self.flags.searchless:
            raise UnknownMethod(f"Method SearchItems is not implemented on interface {SECRET}Service")
        found = [i.path for i in self.collection.items if attributes.items() <= i.attributes.items()]
        none = dbus.Array([], signature="o")
        if not self.collection.locked:
            return found or none, none
        return none, none if self.flags.hidden else found or none

    @dbus.service.method(SECRET + "Service", "s", "o", sender_keyword="caller")
    def ReadAlias(self, name, caller):
        return self.collection.path if name == "default" and not self.is_stranger(caller) else "/"

    @dbus.service.method(SECRET + "Service", "ao", "aoo")
    def Unlock(self, objects):
        log("Unlock")
        if not self.collection.locked:
            return objects, "/"

        def unlock():
            self.collection.locked = False
            return objects

        return dbus.Array([], signature="o"), Prompt(self, unlock).path

    @dbus.service.method(SECRET + "Service", "ao", "aoo")
    def Lock(self, objects):
        log("Lock", *objects)
        self.collection.locked = True
        return objects, "/"

    @dbus.service.method(SECRET + "Service", "a{sv}s", "oo")
    def CreateCollection(self, properties, alias):
        log("CreateCollection")
        raise NotSupported("collections cannot be created")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--collection", default="login")
    parser.add_argument("--sessions", choices=["encrypted", "plain"], default="encrypted")
    parser.add_argument(
        "--prompt", choices=["opens", "dismissed", "fails", "silent", "late", "lies", "dies"], default="silent")
    parser.add_argument("--secret")
    for flag in ("--strangers", "--searchless", "--undeletable", "--locked", "--hidden", "--terse", "--creating"):
        parser.add_argument(flag, action="store_true")
    DBusGMainLoop(set_as_default=True)
    bus, loop = dbus.SessionBus(), GLib.MainLoop()
    name = dbus.service.BusName("org.freedesktop.secrets", bus, do_not_queue=True)
    service = Service(bus, loop, parser.parse_args())
    log("ready")
    loop.run()
    del name, service


sys.exit(main())
