"""Small servers on loopback that require tokens: a git repository, a container registry, a Kubernetes API server and AWS's
Security Token Service. Each accepts the tokens in the file `accepted`, and prints its URL.

    resources.py git DIRECTORY accepted | git_of_app DIRECTORY API/repos/OWNER accepted | registry accepted | kubernetes accepted | sts accepted
"""
import base64
import hashlib
import http.server
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

kind, *arguments = sys.argv[1:]
accepted_file = arguments[-1]


def accepted():
    with open(accepted_file) as file:
        return file.read().split()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", content_type="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def basic_token(self):
        scheme, _, rest = (self.headers.get("Authorization") or "").partition(" ")
        if scheme != "Basic":
            return None
        return base64.b64decode(rest).decode().partition(":")[2]

    def bearer_token(self):
        scheme, _, rest = (self.headers.get("Authorization") or "").partition(" ")
        return rest if scheme == "Bearer" else None

    def do_GET(self):
        getattr(self, kind)()

    do_HEAD = do_GET
    do_POST = do_GET

    def git(self):
        """The "dumb" protocol: the files of a bare repository."""
        if self.basic_token() not in accepted():
            return self.answer(401, b"who are you?", "text/plain", WWW_Authenticate='Basic realm="git"')
        self.serve_file()

    def git_of_app(self):
        """Serves a repository like `git`, but asks GitHub's API whether the token is valid for it."""
        if self.basic_token() is None:
            return self.answer(401, b"who are you?", "text/plain", WWW_Authenticate='Basic realm="git"')
        name = self.path.split("/")[1].removesuffix(".git")
        request = urllib.request.Request(f"{arguments[1]}/{name}", headers={
            "Authorization": f"Bearer {self.basic_token()}", "User-Agent": "git server"})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request):
                self.serve_file()
        except urllib.error.HTTPError as error:
            self.answer(error.code)

    def serve_file(self):
        path = os.path.join(arguments[0], urllib.parse.urlparse(self.path).path.lstrip("/"))
        if not os.path.isfile(path):
            return self.answer(404)
        with open(path, "rb") as file:
            self.answer(200, file.read(), "application/octet-stream")

    def registry(self):
        """Serves one empty image (OCI Distribution Specification)."""
        if self.basic_token() not in accepted():
            return self.answer(401, b"{}", WWW_Authenticate='Basic realm="registry"')
        if "/manifests/" not in self.path:
            return self.answer(200, b"{}")
        media = "application/vnd.docker.distribution.manifest.v2+json"
        config = {"mediaType": "application/vnd.docker.container.image.v1+json", "size": 2, "digest": "sha256:" + hashlib.sha256(b"{}").hexdigest()}
        manifest = json.dumps({"schemaVersion": 2, "mediaType": media, "config": config, "layers": []}).encode()
        self.answer(200, manifest, media, Docker_Content_Digest="sha256:" + hashlib.sha256(manifest).hexdigest())

    def kubernetes(self):
        if self.bearer_token() not in accepted():
            return self.answer(401, json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Unauthorized", "code": 401}).encode())
        self.answer(200, json.dumps({"major": "1", "minor": "30", "gitVersion": "v1.30.0-authctl-test"}).encode())

    def sts(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())
        action = form.get("Action", [""])[0]
        if action == "AssumeRoleWithWebIdentity":
            if form["WebIdentityToken"][0] not in accepted():
                return self.answer(403, b"<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not authorized to perform sts:AssumeRoleWithWebIdentity &amp; more</Message></Error></ErrorResponse>", "text/xml")
            role, name = form["RoleArn"][0], form["RoleSessionName"][0]
            return self.answer(200, f"<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn>{role}/{name}</Arn></AssumedRoleUser><Credentials><SessionToken>session-token-1</SessionToken><SecretAccessKey>secret-access-key-1</SecretAccessKey><Expiration>2099-01-01T01:00:00.123+01:00</Expiration><AccessKeyId>ASIAEXAMPLE</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>".encode(), "text/xml")
        # GetCallerIdentity, signed with the issued credentials.
        if "ASIAEXAMPLE" not in (self.headers.get("Authorization") or "") or self.headers.get("X-Amz-Security-Token") != "session-token-1":
            return self.answer(403, b"<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>no</Message></Error></ErrorResponse>", "text/xml")
        self.answer(200, b"<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:sts::1:assumed-role/ci/authctl</Arn><UserId>A:authctl</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>", "text/xml")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
