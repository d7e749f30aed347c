"""An API on loopback that requires a token, and records each request. Prints its URL.

    api.py RECORD [--rejected FILE] [--port N]

    RECORD             a JSON line for each request: method, target, headers, length of the body
    --rejected FILE    the tokens that are not accepted, read for each request

    /echo      returns the request's headers in the body and in a header, in parts that end inside the token
    /cookie    returns a session cookie and other headers that are only for this server
    /moved     a redirect to another host
    /events    sends an event immediately, and another one each time the file named in `?after=` exists and is removed
    /bytes     `?count=` bytes
    /endless   bytes until the client closes the connection
    /careless  does not read the request's body, and keeps the connection
    /former    returns the tokens of all requests
    /folded    returns a header in two lines (RFC 9112 section 5.2)
    /lost      closes the connection in the middle of the body
    /zip       a body with Content-Encoding: gzip
    /denied    rejects every token
    /silent    never responds
"""
import argparse
import gzip
import http.server
import json
import os
import socket
import threading
import time
import urllib.parse

flags = argparse.ArgumentParser()
flags.add_argument("record")
flags.add_argument("--rejected")
flags.add_argument("--port", type=int, default=0)
given = flags.parse_args()
writing = threading.Lock()
tokens = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def chunked(self, content_type):
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def body(self):
        """The length of the request's body."""
        length = 0
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                length += len(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
        else:
            left = int(self.headers.get("Content-Length") or 0)
            while left:
                part = self.rfile.read(min(left, 1 << 16))
                length += len(part)
                left -= len(part)
        return length

    def do_GET(self):
        length = None if self.path == "/careless" else self.body()
        entry = {"method": self.command, "target": self.path, "headers": self.headers.items(), "length": length}
        with writing, open(given.record, "a") as file:
            file.write(json.dumps(entry) + "\n")
        authorization = self.headers.get("Authorization") or ""
        token = authorization.partition(" ")[2]
        tokens[token] = True
        if not token or self.path == "/denied" or given.rejected and token in open(given.rejected).read().split():
            return self.answer(401, b'{"error":"the token is not valid"}', ("WWW-Authenticate", 'Bearer error="invalid_token"'))
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        match url.path:
            case "/echo":
                self.send_response(200)
                self.send_header("X-Echo", authorization)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                data = f"before {authorization} between {authorization} after".encode()
                for start in range(0, len(data), 7):
                    self.chunk(data[start:start + 7])
                self.wfile.write(b"0\r\n\r\n")
            case "/cookie":
                self.answer(
                    200, b"{}", ("Set-Cookie", "session=s3cr3t"), ("Access-Control-Allow-Origin", "*"), ("X-Kept", "yes"),
                    ("Connection", "X-Gone"), ("X-Gone", "1"), ("Strict-Transport-Security", "max-age=1"))
            case "/former":
                self.answer(200, " ".join(tokens).encode() + b"\n")
            case "/folded":
                self.answer(200, b"{}", ("X-Folded", "one\r\n two"), ("X-Next", "three"))
            case "/moved":
                self.answer(302, b"", ("Location", "https://other.example/path"))
            case "/events":
                self.chunked("text/event-stream")
                self.chunk(b"data: 0\n\n")
                for number in range(1, 4):
                    while not os.path.exists(query["after"]):
                        time.sleep(0.01)
                    os.remove(query["after"])
                    self.chunk(b"data: %d\n\n" % number)
                self.wfile.write(b"0\r\n\r\n")
            case "/bytes":
                left = int(query["count"])
                self.send_response(200)
                self.send_header("Content-Length", str(left))
                self.end_headers()
                part = b"0123456789abcdef" * 4096
                while left > 0:
                    self.wfile.write(part[:left])
                    left -= len(part)
            case "/endless":
                self.chunked("application/octet-stream")
                sent = 0
                try:
                    while True:
                        self.chunk(bytes(65536))
                        sent += 65536
                        with open("sent.new", "w") as file:
                            file.write(str(sent))
                        os.replace("sent.new", "sent")
                except OSError:
                    open("ended", "w").close()
                    self.close_connection = True
            case "/lost":
                self.chunked("text/plain")
                self.chunk(b"half\n")
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            case "/zip":
                self.answer(200, gzip.compress(f"zipped {authorization}".encode()), ("Content-Encoding", "gzip"))
            case "/silent":
                time.sleep(3600)
            case _:
                self.answer(200, json.dumps({"target": self.path}).encode() + b"\n", ("Content-Type", "application/json"))

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_GET


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", given.port), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
