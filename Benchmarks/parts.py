"""What is measured, a function a part."""

import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

from bench import Rival, crowd, openssl_speed, start, table


def peers(bench, issuer):
    """Other tools that print a cached token: gh's is plain text, oidc-agent's is in a daemon's memory."""
    found = []
    if shutil.which("oidc-agent"):
        said = bench.run("oidc-agent", "--no-autoload")
        socket, process = re.search(r"OIDC_SOCK=([^;]+)", said)[1], re.search(r"OIDCD_PID=(\d+)", said)[1]
        bench.processes.append(Daemon(int(process), socket))
        redirect, verifier = "http://127.0.0.1:9/callback", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        location = bench.run(
            "curl", "-sS", "-o", "/dev/null", "-w", "%{redirect_url}", authorization_url(issuer, redirect))
        answer = bench.run(
            "curl", "-sS", f"{issuer}/token", "-d", "grant_type=authorization_code", "-d", "client_id=emulator-client",
            "-d", "code=" + re.search(r"code=([^&]+)", location)[1], "-d", f"redirect_uri={redirect}", "-d", f"code_verifier={verifier}")
        bench.run(
            "oidc-gen", "bench", f"--issuer={issuer}", "--client-id=emulator-client", "--client-secret=", "--redirect-url=http://localhost:4242",
            "--scope=openid offline_access", "--rt=" + re.search(r'"refresh_token":\s*"([^"]+)"', answer)[1], "--pw-cmd=echo x",
            "--prompt=none", "--confirm-default", "-m", OIDC_SOCK=socket)
        found.append(Rival("oidc-token", ["oidc-token", "bench"], OIDC_SOCK=socket))
    if shutil.which("gh"):
        found.append(Rival("gh auth token", ["gh", "auth", "token"]))
    return found + [Rival("openssl version", ["openssl", "version"])]


class Daemon:
    def __init__(self, process, socket):
        self.process, self.socket = process, socket

    def terminate(self):
        os.kill(self.process, 15)
        # It leaves the directory of its socket.
        shutil.rmtree(os.path.dirname(self.socket), ignore_errors=True)


def authorization_url(issuer, redirect):
    return (
        f"{issuer}/authorize?response_type=code&client_id=emulator-client&redirect_uri={redirect}&scope=openid%20profile%20email%20offline_access"
        "&state=s&nonce=n&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")


def token(bench):
    """A valid session's token, and what a program's start costs."""
    issuer = bench.emulator()
    rivals = [Rival(r.name, r.command + ["token"], **r.environment) for r in bench.signed_in("token", issuer)] + peers(bench, issuer)
    took = bench.measure(rivals)
    facts = [start(bench, rival) for rival in rivals]
    def count(name):
        return [None if fact[name] is None else len(fact[name]) for fact in facts]
    table("token, of a valid session", [rival.name for rival in rivals], [
        ("time, ms", [t["ms"] for t in took]),
        ("peak memory, MB", [t["mb"] for t in took]),
        ("page faults, minor", [t["minor"] for t in took]),
        ("page faults, major", [t["major"] for t in took]),
        ("relocations, looked up", [f["looked up"] for f in facts]),
        ("relocations, relative", [f["relative"] for f in facts]),
        ("libraries", count("libraries")),
        ("files opened", count("files")),
        ("system calls", [f["calls"] for f in facts]),
        ("size, stripped, MB", [f["size"] for f in facts]),
    ])
    if facts[0]["files"] is not None:
        print("  libraries: " + " ".join(facts[0]["libraries"]))
        print("  files: " + " ".join(name.replace(bench.work, "") for name in facts[0]["files"]))
    bench.target("token / openssl version", took[0]["ms"] / took[-1]["ms"], "<=", 1.80)
    for rival, t in zip(rivals, took):
        if rival.name == "gh auth token":
            bench.target("token / gh auth token", took[0]["ms"] / t["ms"], "<=", 0.15)
    bench.target("token, peak memory, MB", took[0]["mb"], "<=", 11)
    bench.target("program, stripped, MB", facts[0]["size"], "<=", 20)


def start_of_commands(bench):
    """Commands that need no network, with ten accounts: what the parser, the help and the lists add to a `token`."""
    import_accounts(bench, "start", 10)
    tools = bench.signed_in("start", bench.emulator())
    commands = [
        ["token"], ["token", "--json"], ["token", "--min-ttl", "5m"], ["whoami"], ["status"], ["accounts", "list"], ["pending", "list"],
        ["credential", "kubectl"], ["--help"], ["signin", "--help"], ["exec", "--", "true"],
    ]
    rows, targets = [], {"token --json": 1.30, "whoami": 1.50, "status": 1.50, "credential kubectl": 1.50, "--help": 2.00}
    took = bench.measure([Rival(" ".join(words), tool.command + words, **tool.environment) for words in commands for tool in tools])
    for index, words in enumerate(commands):
        name, own = " ".join(words), took[index * len(tools):(index + 1) * len(tools)]
        rows.append((name, [t["ms"] for t in own] + [own[0]["ms"] / took[0]["ms"], own[0]["mb"], own[0]["minor"]]))
        if name in targets:
            bench.target(f"{name} / token", own[0]["ms"] / took[0]["ms"], "<=", targets[name])
    table(
        "the start of commands, with ten accounts",
        [f"{name}, ms" for name in bench.tools] + ["to token", "peak memory, MB", "page faults, minor"], rows)


def fifty(bench):
    """As many processes at once, with a valid token and with an expired one, which one of them refreshes."""
    issuer = bench.emulator()
    tools = [Rival(r.name, r.command + ["token"], **r.environment) for r in bench.signed_in("fifty", issuer)]
    rivals = tools + peers(bench, issuer)
    one, many = bench.measure(rivals), bench.measure(rivals, turns=10, runs=1, width=50)
    ratios = [m["ms"] / o["ms"] for m, o in zip(many, one)]
    table("fifty at once, of a valid session", [rival.name for rival in rivals], [
        ("one, ms", [o["ms"] for o in one]), ("fifty, ms", [m["ms"] for m in many]), ("fifty / one", ratios)])
    bench.target("fifty tokens at once / one", ratios[0], "<=", 35)
    # In turns with each other, so that neighbours take as much from either.
    both = [Rival(f"{r.name}, {state}", r.command, **r.environment) for r in tools for state in ("valid", "expired")]
    states = bench.measure(both, turns=20, runs=1, width=50, before=lambda r: bench.expire(r) if r.name.endswith("expired") else None)
    table("fifty at once, of one session", [r.name for r in both], [("fifty, ms", [s["ms"] for s in states])])
    bench.target("fifty at once, expired / valid", states[1]["ms"] / states[0]["ms"], "<=", 1.15)


def keyring(bench):
    """A D-Bus session of its own with an unlocked keyring; its address."""
    bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
    bench.processes.append(bus)
    address = bus.stdout.readline().strip()
    service = subprocess.Popen(
        ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": address})
    bench.processes.append(service)
    service.stdin.write(b"bench")
    service.stdin.close()
    bench.run("gdbus", "wait", "--session", "--timeout", "10", "org.freedesktop.secrets", DBUS_SESSION_BUS_ADDRESS=address)
    return address


def vaults(bench):
    """A valid session's token, with its key in each vault."""
    issuer = bench.emulator()
    tool = bench.tools["authctl"]
    places = {
        "file": {}, "keyring": {"DBUS_SESSION_BUS_ADDRESS": keyring(bench)},
        "passphrase": {"AUTHCTL_PASSPHRASE_COMMAND": "echo benchmark"},
    }
    rivals = []
    for kind, environment in places.items():
        environment["AUTHCTL_CONFIG_DIR"] = f"{bench.work}/vault-{kind}"
        bench.run(tool, "providers", "add", "-q", "oidc.bench", "--issuer", issuer, "--client-id", "emulator-client", **environment)
        bench.run(tool, "signin", "-q", **environment)
        bench.run(tool, "profile", "set", "-q", "--vault", kind, **environment)
        if kind == "passphrase":
            bench.run(tool, "profile", "unlock", "-q", **environment)
            del environment["AUTHCTL_PASSPHRASE_COMMAND"]
        rivals.append(Rival(kind, [tool, "token"], **environment))
    took = bench.measure(rivals)
    table("token, by where its key is", [rival.name for rival in rivals], [
        ("time, ms", [t["ms"] for t in took]), ("peak memory, MB", [t["mb"] for t in took]),
        ("to a file", [t["ms"] / took[0]["ms"] for t in took])])
    bench.target("token, unlocked keyring / file", took[1]["ms"] / took[0]["ms"], "<=", 1.50)
    bench.target("token, passphrase remembered / file", took[2]["ms"] / took[0]["ms"], "<=", 1.20)
    bench.run(tool, "profile", "lock", "-q", **rivals[2].environment)


def signin(bench):
    """A sign-in with keys in the cache beside curl's three requests, and a refresh."""
    issuer = bench.emulator()
    tools = bench.signed_in("signin", issuer)
    script = f"{bench.work}/curl-signin"
    with open(script, "w") as file:
        file.write(f"""#!/bin/bash
location=$(curl -sS -o /dev/null -w '%{{redirect_url}}' '{authorization_url(issuer, "http://127.0.0.1:9/callback")}')
code=${{location#*code=}}
curl -sS -o /dev/null {issuer}/token -d grant_type=authorization_code -d client_id=emulator-client -d "code=${{code%%&*}}" \\
  -d redirect_uri=http://127.0.0.1:9/callback -d code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
curl -sS -o /dev/null {issuer}/jwks
""")
    os.chmod(script, 0o755)
    curl = Rival("curl, 3 requests", [script])
    took = bench.measure([Rival(r.name, r.command + ["signin", "-q"], **r.environment) for r in tools] + [curl], turns=10)
    table("sign-in", [r.name for r in tools] + [curl.name], facts(took))
    bench.target("sign-in / curl's three requests", took[0]["ms"] / took[-1]["ms"], "<=", 0.65)
    bench.target("sign-in, peak memory, MB", took[0]["mb"], "<=", 19)
    # An error is a response of the same kind: a refresh token could be used once.
    post = Rival("curl, 1 request", ["curl", "-sS", "-o", "/dev/null", f"{issuer}/token", "-d", "grant_type=refresh_token&refresh_token=x&client_id=emulator-client"])
    fresh = bench.measure([Rival(r.name, r.command + ["token", "--force-refresh"], **r.environment) for r in tools] + [post], turns=16)
    table("a refresh", [r.name for r in tools] + [post.name], facts(fresh))
    bench.target("refresh / curl's one request", fresh[0]["ms"] / fresh[-1]["ms"], "<=", 1.80)


def facts(took):
    return [
        ("time, ms", [t["ms"] for t in took]), ("peak memory, MB", [t["mb"] for t in took]),
        ("page faults, minor", [t["minor"] for t in took]),
    ]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def start_nginx(bench, folder, configuration):
    with open(f"{folder}/nginx.conf", "w") as file:
        # Root's workers would be another user, who cannot read the files.
        file.write("user root;" * (os.geteuid() == 0) + configuration)
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    bench.processes.append(subprocess.Popen([nginx, "-e", f"{folder}/error.log", "-p", folder, "-c", f"{folder}/nginx.conf"]))


TLS = """daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    ssl_certificate {folder}/chain.pem; ssl_certificate_key {folder}/server.key;
    server {{ listen 127.0.0.1:{port} ssl; location / {{ proxy_pass {upstream}; proxy_set_header Host $http_host; }} }}
}}
"""


def tls_emulator(bench):
    """An emulator behind nginx with a chain of three certificates, as public servers have it; its issuer. Every program trusts the
    system's CAs and the root of this chain."""
    folder = f"{bench.work}/tls"
    os.mkdir(folder)
    issuer = None
    for name, subject, extension in (
        ("root", "/CN=root", "basicConstraints=critical,CA:TRUE"), ("middle", "/CN=middle", "basicConstraints=critical,CA:TRUE"),
        ("server", "/CN=server", "subjectAltName=DNS:localhost")):
        path = f"{folder}/{name}"
        bench.run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{path}.key", "-out", f"{path}.csr", "-subj", subject)
        with open(f"{path}.ext", "w") as file:
            file.write(extension)
        signer = ["-CA", f"{folder}/{issuer}.pem", "-CAkey", f"{folder}/{issuer}.key", "-CAcreateserial"] if issuer else ["-key", f"{path}.key"]
        bench.run("openssl", "x509", "-req", "-in", f"{path}.csr", *signer, "-days", "2", "-extfile", f"{path}.ext", "-out", f"{path}.pem")
        issuer = name
    def joined(name, *parts):
        with open(f"{folder}/{name}", "w") as file:
            file.writelines(open(part).read() for part in parts)
        return f"{folder}/{name}"
    joined("chain.pem", f"{folder}/server.pem", f"{folder}/middle.pem")
    trusted = joined("trusted.pem", "/etc/ssl/certs/ca-certificates.crt", f"{folder}/root.pem")
    # The browser's time belongs to no program.
    with open(f"{folder}/browser", "w") as file:
        file.write(f'#!/bin/sh\nexec curl -sS -o /dev/null -L --cacert {folder}/root.pem "$1"\n')
    os.chmod(f"{folder}/browser", 0o755)
    os.environ.update(SSL_CERT_FILE=trusted, CURL_CA_BUNDLE=trusted, BROWSER=f"{folder}/browser")
    port = free_port()
    upstream = bench.emulator("--url", f"https://localhost:{port}")
    start_nginx(bench, folder, TLS.format(folder=folder, port=port, upstream=upstream))
    bench.run("curl", "-sS", "--retry", "50", "--retry-connrefused", "--retry-delay", "0", "-o", "/dev/null", f"https://localhost:{port}/jwks")
    return f"https://localhost:{port}"


def https(bench):
    """What users pay at a public server: each request over TLS. KUBELOGIN=PATH adds that program to the turns."""
    before = dict(os.environ)
    issuer = tls_emulator(bench)
    tools = bench.signed_in("https", issuer)
    post = Rival("curl, 1 request", ["curl", "-sS", "-o", "/dev/null", f"{issuer}/token", "-d", "grant_type=refresh_token&refresh_token=x&client_id=emulator-client"])
    kubelogin, cache = os.environ.get("KUBELOGIN"), f"{bench.work}/kubelogin"
    peer = [kubelogin, "get-token", f"--oidc-issuer-url={issuer}", "--oidc-client-id=emulator-client", f"--token-cache-dir={cache}",
            "--oidc-extra-scope=offline_access", "--listen-address=127.0.0.1:0", f"--browser-command={os.environ['BROWSER']}"]
    if kubelogin:
        print("\n" + subprocess.run([kubelogin, "version"], capture_output=True, text=True).stderr.strip())
        bench.run(*peer)
    def turns(words, own, others=(), **how):
        rivals = [Rival(r.name, r.command + words, **r.environment) for r in tools]
        rivals += [Rival("kubelogin", peer + own)] if kubelogin else []
        names = [r.name for r in rivals + list(others)]
        return names, bench.measure(rivals + list(others), **how)
    def forget(rival):
        if rival.name == "kubelogin":
            shutil.rmtree(cache, ignore_errors=True)
    for what, names, took, bound in (
        ("token", *turns(["token"], []), 0.85),
        ("refresh", *turns(["token", "--force-refresh"], ["--force-refresh"], [post], turns=12), 0.90),
        ("sign-in", *turns(["signin", "-q"], [], turns=40, runs=1, before=forget), 0.95),
        ("fifty valid", *turns(["token"], [], turns=10, runs=1, width=50), 0.90)):
        table(f"https, {what}", names, facts(took))
        if kubelogin:
            bench.target(f"https, {what} / kubelogin", took[0]["ms"] / took[names.index("kubelogin")]["ms"], "<=", bound)
        if what == "refresh":
            bench.target("https, refresh / curl's one request", took[0]["ms"] / took[-1]["ms"], "<=", 0.80)
        if what in ("refresh", "sign-in"):
            bench.target(f"https, {what}, peak memory, MB", took[0]["mb"], "<=", 20.5)
    states = bench.measure(
        [Rival(state, tools[0].command + ["token"], **tools[0].environment) for state in ("valid", "expired")], turns=20, runs=1, width=50,
        before=lambda rival: bench.expire(rival) if rival.name == "expired" else None)
    table("https, fifty at once", ["valid", "expired"], facts(states))
    bench.target("https, fifty expired / valid", states[1]["ms"] / states[0]["ms"], "<=", 1.15)
    os.environ.clear()
    os.environ.update(before)


def bound(bench):
    """A request with a bound token (RFC 9449) beside one with a bearer token, at a server that wants nonces and one that does not;
    and the bare token of either session."""
    tool, rivals = bench.tools["authctl"], []
    for name, flags, wanted in (("bearer", [], []), ("bound", [], ["--dpop"]), ("with nonces", ["--fault", "dpop-nonce"], ["--dpop"])):
        issuer = bench.emulator(*flags)
        place = {"AUTHCTL_CONFIG_DIR": f"{bench.work}/bound-{len(rivals)}"}
        bench.run(tool, "providers", "add", "-q", "oidc.bench", "--issuer", issuer, "--client-id", "emulator-client", **place)
        bench.run(tool, "signin", "-q", *wanted, **place)
        rivals.append((Rival(name, [tool, "request", f"{issuer}/userinfo"], **place), Rival(name, [tool, "token"], **place)))
    took = bench.measure([request for request, _ in rivals])
    bare = bench.measure([token for _, token in rivals])
    table("request, by what the token is bound to", [request.name for request, _ in rivals], [
        ("request, ms", [t["ms"] for t in took]), ("to a bearer token's", [t["ms"] / took[0]["ms"] for t in took]),
        ("token, ms", [t["ms"] for t in bare]), ("to a bearer token's", [t["ms"] / bare[0]["ms"] for t in bare])])
    bench.target("request, bound / bearer", took[1]["ms"] / took[0]["ms"], "<=", 1.30)


def accounts(bench):
    """The same commands with ten accounts in the directory, and with a thousand and a hundred thousand."""
    issuer = bench.emulator()
    commands = [["token"], ["whoami"], ["signin", "-q"], ["accounts", "lookup", "user7@example.org"]]
    counts = (10, 1_000, 100_000)
    for count in counts:
        import_accounts(bench, str(count), count)
    stores = [bench.signed_in(str(count), issuer) for count in counts]
    few, many = stores[0], stores[-1]
    lists = [["status"], ["accounts", "list"], ["accounts", "list", "--json"]]
    for index, name in enumerate(bench.tools):
        rows = []
        for words in lists:
            took = bench.measure([Rival(name, s[index].command + words, **s[index].environment) for s in stores], turns=4, runs=2)
            rows.append((" ".join(words), [t["ms"] for t in took] + [took[-1]["mb"]]))
            if index == 0 and words == ["status"]:
                bench.target("status, 100,000 accounts, s", took[-1]["ms"] / 1000, "<=", 0.40)
                bench.target("status, 100,000 accounts, peak memory, MB", took[-1]["mb"], "<=", 40)
        table(f"lists of accounts, {name}", [f"{count:,}, ms" for count in counts] + [f"{counts[-1]:,}, MB"], rows)
    for index, name in enumerate(bench.tools):
        rows = []
        for words in commands:
            a, b = bench.measure([Rival(r.name, r.command + words, **r.environment) for r in (few[index], many[index])], turns=16)
            rows.append((" ".join(words[:2]).replace(" -q", ""), [b["ms"], a["ms"], b["ms"] / a["ms"]]))
            if index == 0:
                bench.target(f"{rows[-1][0]}, 100,000 accounts / ten", b["ms"] / a["ms"], "<=", 1.20)
        table(f"a hundred thousand accounts, {name}", ["100,000, ms", "10, ms", "ratio"], rows)


def import_accounts(bench, directory, count):
    """Puts so many accounts into each tool's store of that name."""
    path = f"{bench.work}/accounts-{count}.json"
    with open(path, "w") as file:
        file.write(crowd(count))
    for name, tool in bench.tools.items():
        bench.run(tool, "accounts", "import", "-q", path, AUTHCTL_CONFIG_DIR=f"{bench.work}/{directory}-{name}")


def memory(process):
    """RSS, PSS and private memory of a process in MB. PSS counts a page that several processes share once, divided among them."""
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        kb = {name: int(size) for name, size in re.findall(r"(\w+): +(\d+) kB", file.read())}
    return [kb["Rss"] / 1024, kb["Pss"] / 1024, (kb["Private_Clean"] + kb["Private_Dirty"]) / 1024]


def mcp(bench):
    """The bridge of an MCP client: from its start until one message was forwarded and answered, and the memory of each of ten
    bridges that wait."""
    issuer = bench.emulator()
    resource = f"{issuer}/api"
    with open(f"{bench.work}/message", "w") as file:
        file.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    rows = []
    for name, tool in bench.tools.items():
        place = {"AUTHCTL_CONFIG_DIR": f"{bench.work}/mcp-{name}"}
        bench.run(tool, "signin", "-q", "--resource", resource, **place)
        bridge = f"exec {tool} credential mcp --stdio {resource} <{bench.work}/message"
        took = bench.measure([
            Rival("token", ["sh", "-c", f"exec {tool} token --resource {resource} </dev/null"], **place),
            Rival("bridge", ["sh", "-c", bridge], **place)])
        bridges = [
            subprocess.Popen(
                [tool, "credential", "mcp", "--stdio", resource], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, **place}) for _ in range(10)]
        with open(f"{bench.work}/message") as file:
            message = file.read()
        for process in bridges:
            process.stdin.write(message)
            process.stdin.flush()
            process.stdout.readline()
        used = [sum(sizes) / len(bridges) for sizes in zip(*(memory(process) for process in bridges))]
        for process in bridges:
            process.stdin.close()
            process.wait()
        rows.append([took[0]["ms"], took[1]["ms"]] + used)
    names = ["token --resource, ms", "one message, ms"] + [f"ten that wait, {kind} of each, MB" for kind in ("RSS", "PSS", "private")]
    table("mcp, the bridge", list(bench.tools), [(name, [row[place] for row in rows]) for place, name in enumerate(names)])
    bench.target("mcp, one message - token, ms", rows[0][1] - rows[0][0], "<=", 15)
    bench.target("mcp, each of ten that wait, PSS, MB", rows[0][3], "<=", 12)


NGINX = """daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; sendfile on; keepalive_requests 1000000;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    upstream api {{ server 127.0.0.1:{port}; keepalive 16; }}
    server {{ listen 127.0.0.1:{port}; root {folder}/files; location /small {{ return 200 small; }} }}
    server {{
        listen unix:{folder}/nginx.sock;
        location / {{ proxy_pass http://api; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_max_temp_file_size 0; }}
    }}
}}
"""


def proxy(bench):
    """Requests through `serve --upstream` and through nginx's proxy_pass, each on a Unix socket, to nginx on loopback."""
    folder = f"{bench.work}/proxy"
    os.makedirs(f"{folder}/files")
    with open(f"{folder}/files/large", "wb") as file:
        file.truncate(1 << 30)
    port = free_port()
    start_nginx(bench, folder, NGINX.format(folder=folder, port=port))
    ways = {"direct": ("127.0.0.1", port), "nginx": f"{folder}/nginx.sock"}
    memory = {}
    issuer = bench.emulator()
    for rival in bench.signed_in("proxy", issuer):
        bench.run(*rival.command, "providers", "set", "-q", "oidc.bench", "--api-host", f"http://127.0.0.1:{port}", **rival.environment)
        path = f"{folder}/{rival.name}.sock"
        process = subprocess.Popen(
            [*rival.command, "serve", "--socket", path, "--upstream", f"http://127.0.0.1:{port}", "--allow", "GET /**"],
            stderr=subprocess.PIPE, text=True, env={**os.environ, **rival.environment})
        bench.processes.append(process)
        while (line := process.stderr.readline()) and "serving" not in line:
            pass
        ways[rival.name], memory[rival.name] = path, process.pid

    def connection(place):
        family = socket.AF_UNIX if isinstance(place, str) else socket.AF_INET
        opened = socket.socket(family)
        deadline = time.monotonic() + 10
        while opened.connect_ex(place) != 0:
            if time.monotonic() > deadline:
                sys.exit(f"bench: nothing listens at {place}")
            time.sleep(0.01)
        return opened

    times, rates = {name: [] for name in ways}, {name: [] for name in ways}
    for turn in range(6):
        for name, place in ways.items():
            with connection(place) as one:
                one.settimeout(60)
                for number in range(2200):
                    begun = time.perf_counter()
                    one.sendall(b"GET /small HTTP/1.1\r\nHost: api\r\n\r\n")
                    answer = b""
                    while not answer.endswith(b"small"):
                        answer += one.recv(4096) or sys.exit(f"bench: {name} closed the connection: {answer}")
                    if turn and number >= 200:  # the first ones warm up
                        times[name].append(time.perf_counter() - begun)
            with connection(place) as one:
                begun = time.perf_counter()
                one.sendall(b"GET /large HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n")
                buffer, length = bytearray(1 << 20), 0
                while count := one.recv_into(buffer):
                    length += count
                if length < 1 << 30:
                    sys.exit(f"bench: {name} sent {length} bytes")
                if turn:
                    rates[name].append(time.perf_counter() - begun)
    rows = {name: (statistics.median(times[name]) * 1000, statistics.median(rates[name])) for name in ways}
    peaks = []
    for name in ways:
        if name in memory:
            with open(f"/proc/{memory[name]}/status") as file:
                peaks.append(int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024)
        else:
            peaks.append(None)
    table("proxy", list(ways), [
        ("a request, ms", [rows[name][0] for name in ways]), ("1 GB, s", [rows[name][1] for name in ways]),
        ("peak memory, MB", peaks)])
    bench.target("proxy, added to a request, ms", rows["authctl"][0] - rows["direct"][0], "<=", 1)
    bench.target("proxy, 1 GB / nginx's proxy_pass", rows["authctl"][1] / rows["nginx"][1], "<=", 1.10)


def serve(bench):
    """Tokens of a valid session from the socket, to sixteen clients at once, on two cores that the clients share."""
    issuer = bench.emulator()
    bench.run("gcc", "-O2", "-pthread", "-o", f"{bench.work}/ask", f"{os.path.dirname(os.path.abspath(__file__))}/ask.c")
    tool = bench.signed_in("serve", issuer)[0]
    socket, log = f"{bench.work}/token.sock", f"{bench.work}/serve.log"
    cores = ["taskset", "-c", "0,1"] if (os.cpu_count() or 1) > 1 else []
    with open(log, "w") as file:
        bench.processes.append(subprocess.Popen(
            [*cores, *tool.command, "serve", "--socket", socket, "--allow", "provider=oidc.bench"], stderr=file,
            env={**os.environ, **tool.environment}))
    while "serving " not in open(log).read():
        time.sleep(0.01)
    process, seconds = bench.processes[-1].pid, 5
    rows = []
    for reuse in (1, 0):
        bench.run(*cores, f"{bench.work}/ask", socket, "16", "1", str(reuse))
        found = [float(word) for word in bench.run(*cores, f"{bench.work}/ask", socket, "16", str(seconds), str(reuse)).split()]
        rows.append((found[0] / seconds, found[1] / 1000, found[2] / 1000))
    asked = Rival("through the socket", [bench.tools["authctl"], "token"], AUTHCTL_SOCKET=socket, AUTHCTL_CONFIG_DIR=f"{bench.work}/none")
    took = bench.measure([Rival("token", tool.command + ["token"], **tool.environment), asked])
    with open(f"/proc/{process}/status") as file:
        memory = int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) / 1024
    table("serve, 16 clients on two cores", ["one connection each", "a connection each time"], [
        ("tokens a second", [row[0] for row in rows]), ("median, ms", [row[1] for row in rows]), ("p99, ms", [row[2] for row in rows])])
    table("token", ["of the store", "of the socket"], [("time, ms", [t["ms"] for t in took])])
    bench.target("serve, tokens a second", min(row[0] for row in rows), ">=", 5000)
    bench.target("serve, p99, ms", max(row[2] for row in rows), "<=", 5)
    bench.target("token of the socket / of the store", took[1]["ms"] / took[0]["ms"], "<=", 1)
    bench.target("serve, memory, MB", memory, "<=", 20)


def verify(bench):
    """20,000 tokens through a pipe that another core fills, start-up included, against OpenSSL's own rate, by the wall clock.
    This is work for the processor alone, so the fastest of many turns counts: what neighbours take belongs to no rival."""
    names, rows, last = list(bench.tools), [], str((os.cpu_count() or 1) - 1)
    for algorithm, peer in (("RS256", "rsa2048"), ("ES256", "ecdsap256")):
        issuer = bench.emulator("--alg", algorithm)
        tool = bench.signed_in(algorithm, issuer)[0]
        line = bench.run(*tool.command, "token", "--type", "id", **tool.environment)
        files = {"tokens": line * 20000, "jwks": bench.run("curl", "-sS", f"{issuer}/jwks")}
        for name, text in files.items():
            with open(f"{bench.work}/{name}", "w") as file:
                file.write(text)
        def rate(program, *pinned):
            command = [*pinned, program, "verify", "-", "--jwks", f"{bench.work}/jwks", "--issuer", issuer, "--audience", "emulator-client"]
            began = time.monotonic()
            feeder = subprocess.Popen([*(("taskset", "-c", last) if pinned else ()), "cat", f"{bench.work}/tokens"], stdout=subprocess.PIPE)
            # The exit status says that all were valid.
            subprocess.run(command, stdin=feeder.stdout, stdout=subprocess.DEVNULL, check=True, env={**os.environ, **tool.environment})
            return 20000 / (time.monotonic() - began)
        one, every, speed = [0.0] * len(names), [0.0] * len(names), 0.0
        for _ in range(12):
            for index, name in enumerate(names):
                one[index] = max(one[index], rate(bench.tools[name], "taskset", "-c", "0"))
                every[index] = max(every[index], rate(bench.tools[name]))
            speed = max(speed, openssl_speed(peer, "0"))
        rows += [(f"{algorithm}, one core, a second", one + [speed]), (f"{algorithm}, every core", every + [None])]
        bench.target(f"verify {algorithm}, one core / openssl speed", one[0] / speed, ">=", 0.85 if algorithm == "RS256" else 0.92)
    table("verify, a stream of tokens", names + ["openssl speed"], rows)


ALL = {
    "https": https, "token": token, "start": start_of_commands, "fifty": fifty, "vaults": vaults, "signin": signin, "bound": bound, "accounts": accounts,
    "verify": verify, "mcp": mcp, "serve": serve, "proxy": proxy,
}
