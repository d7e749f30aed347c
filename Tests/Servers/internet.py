#!/usr/bin/env python3
"""Simulates the internet for executed documents: a proxy that terminates TLS for every host, and forwards requests to
emulators on loopback.

    internet.py CERTIFICATE KEY MAP CLIENTS

MAP has lines `host/path URL`: requests below the path go to the URL, with the longest path first. Other hosts cannot be
reached. The URL `api` is an API that requires any bearer token. CLIENTS is a file with trusted client certificates; if it
exists, certificates are requested, and the emulators get them in `X-Client-Certificate`. Prints its port."""
import http.client
import http.server
import json
import os
import ssl
import sys
import urllib.parse

certificate, key, places, clients = sys.argv[1:]


def context():
    created = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    created.load_cert_chain(certificate, key)
    if os.path.exists(clients):
        created.load_verify_locations(clients)
        created.verify_mode = ssl.CERT_OPTIONAL
    return created


def place(host, path):
    """The URL and the path for a request, or None."""
    with open(places) as file:
        known = sorted((line.split() for line in file), key=lambda row: -len(row[0]))
    for name, url in known:
        where, slash, prefix = name.partition("/")
        prefix = slash + prefix
        if where == host and (path == prefix or path.startswith((prefix + "/", prefix + "?")) or not prefix):
            return url, path[len(prefix):] or "/"
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    host = None
    client = None

    def log_message(self, *_):
        pass

    def do_CONNECT(self):
        host = self.path.rpartition(":")[0]
        with open(places) as file:
            known = {line.split("/")[0].split()[0] for line in file}
        if host not in known:
            return self.send_error(502)
        self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            self.connection = context().wrap_socket(self.connection, server_side=True)
        except OSError:
            self.close_connection = True
            return
        self.host = host
        self.client = self.connection.getpeercert(binary_form=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self.close_connection = False

    def answer(self, status, headers, body):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        found = self.host and place(self.host, self.path)
        if not found:
            return self.answer(404, [], b"")
        url, path = found
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if url == "api":
            known = (self.headers.get("Authorization") or "").startswith(("Bearer ", "DPoP "))
            text = {"message": "hello"} if known else {"error": "who are you?"}
            kind = [("Content-Type", "application/json")] + ([] if known else [("WWW-Authenticate", "Bearer")])
            return self.answer(200 if known else 401, kind, json.dumps(text).encode() + b"\n")
        there = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(there.hostname, there.port, timeout=float(os.environ["PATIENCE"]))
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection" and not name.lower().startswith("x-client-certificate")}
        if self.client:
            headers["X-Client-Certificate"] = urllib.parse.quote(ssl.DER_cert_to_PEM_cert(self.client))
        connection.request(self.command, there.path + path, body or None, headers)
        reply = connection.getresponse()
        self.answer(reply.status, reply.getheaders(), reply.read())
        connection.close()

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_GET


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client that closed the connection


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
