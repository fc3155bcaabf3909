"""Servers and proxies on loopback for the tests of the transport: TLS, HTTP/2, CONNECT, SOCKS 5.

Makes certificates with `openssl` in a temporary folder. Prints that folder and the ports as one line of JSON and
ends when its standard input does. Proxies find every host below `.test` on loopback.
"""
import base64, json, os, select, shutil, socket, ssl, struct, subprocess, sys, tempfile, threading

folder = tempfile.mkdtemp(prefix="peer-")
ports = {}


def path(name):
    return os.path.join(folder, name)


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, cwd=folder, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def key(name):
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", name + ".key")


def self_signed(name, subject, *more):
    key(name)
    openssl("req", "-x509", "-new", "-key", name + ".key", "-days", "30", "-subj", "/CN=" + subject,
            "-out", name + ".pem", *more)


AUTHORITY = """[ca]
default_ca=it
[it]
database=index
new_certs_dir=.
serial=serial
default_md=sha256
policy=any
unique_subject=no
copy_extensions=copy
[any]
commonName=supplied
"""


def signed(name, names, start="20200101000000Z", end="20980101000000Z", by="ca"):
    key(name)
    openssl("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr",
            "-addext", "subjectAltName=" + names)
    openssl("ca", "-batch", "-notext", "-config", "ca.conf", "-cert", by + ".pem", "-keyfile", by + ".key",
            "-startdate", start, "-enddate", end, "-in", name + ".csr", "-out", name + ".pem")


def certificates():
    for name, text in (("ca.conf", AUTHORITY), ("index", ""), ("serial", "01\n")):
        with open(path(name), "w") as file:
            file.write(text)
    here = "IP:127.0.0.1,DNS:localhost,DNS:good.peer.test"
    self_signed("ca", "Test Authority")
    self_signed("other-ca", "Other Authority")
    self_signed("self", "self", "-addext", "subjectAltName=" + here)
    signed("good", here)
    signed("wrong", "DNS:elsewhere.example")
    signed("expired", here, end="20210101000000Z")
    signed("future", here, start="20970101000000Z")
    signed("client", "DNS:client")
    signed("second", "DNS:second")
    signed("stranger", "DNS:stranger", by="other-ca")
    openssl("ec", "-in", "client.key", "-aes256", "-passout", "pass:c4n4ry-phrase", "-out", "client-locked.key")
    openssl("pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-passout", "pass:c4n4ry-phrase",
            "-out", "client.p12")
    for name in ("client", "second"):
        with open(path(name + "-both.pem"), "w") as both:
            both.write(open(path(name + ".pem")).read() + open(path(name + ".key")).read())


def context(name, protocols=("http/1.1",)):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(path(name + ".pem"), path(name + ".key"))
    made.set_alpn_protocols(list(protocols))
    return made


def listen(name, serve, tls=None):
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    ports[name] = listener.getsockname()[1]
    counter = iter(range(1 << 30))

    def connection(plain, number):
        try:
            plain.settimeout(30)
            stream = tls.wrap_socket(plain, server_side=True, do_handshake_on_connect=False) if tls else plain
            try:
                if tls:
                    stream.do_handshake()
            except OSError:
                # A reset would take away the alert that says why.
                part = socket.socket(fileno=stream.detach())
                part.shutdown(socket.SHUT_WR)
                while part.recv(65536):
                    pass
                part.close()
                return
            serve(stream, number)
        except (OSError, ValueError, EOFError):
            pass
        finally:
            plain.close()

    def accept():
        while True:
            plain, _ = listener.accept()
            threading.Thread(target=connection, args=(plain, next(counter)), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


# MARK: HTTP/1.1


def read_exactly(stream, count):
    data = b""
    while len(data) < count:
        more = stream.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def read_head(stream):
    data = b""
    while not data.endswith(b"\r\n\r\n"):
        data += read_exactly(stream, 1)
    first, *lines = data.decode("latin-1").strip().split("\r\n")
    fields = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip()
    return first.split(" "), fields


def answer(stream, status, body, *lines):
    head = [f"HTTP/1.1 {status} Peer", f"Content-Length: {len(body)}", *lines]
    stream.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)


def http(stream, number):
    """Says what it was asked; `/to?URL` leads there, and what ends in `?keep` may be kept."""
    while True:
        (method, target, _), fields = read_head(stream)
        body = read_exactly(stream, int(fields.get("content-length", 0)))
        if target.startswith("/to?"):
            answer(stream, 307, b"", "Location: " + target[4:])
            continue
        said = {"connection": number, "method": method, "target": target, "body": body.decode(),
                "authorization": fields.get("authorization"), "proxied": "via" in fields,
                "proxy_authorization": fields.get("proxy-authorization")}
        if isinstance(stream, ssl.SSLSocket):
            names = (stream.getpeercert() or {}).get("subject", ())
            said["client"] = names[0][0][1] if names else None
            said["tls"] = stream.version()
        kept = ["Cache-Control: max-age=600"] if target.endswith("?keep") else []
        answer(stream, 200, json.dumps(said).encode(), "Content-Type: application/json", *kept)


def no_tls(stream, _):
    """A server that is greeted in TLS, which it does not speak."""
    stream.recv(65536)
    answer(stream, 400, b"what?")


# MARK: HTTP/2


def http2(behaviour):
    """Answers every stream alike; the first one of all connections is special."""
    seen = threading.Lock(), set()

    def is_first():
        with seen[0]:
            first = not seen[1]
            seen[1].add(1)
            return first

    def serve(stream, number):
        if stream.selected_alpn_protocol() != "h2":
            return http(stream, number)
        read_exactly(stream, 24)

        def frame(kind, flags, identifier, payload=b""):
            stream.sendall(struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
                           + struct.pack(">I", identifier) + payload)

        frame(4, 0, 0)
        while True:
            head = read_exactly(stream, 9)
            payload = read_exactly(stream, int.from_bytes(head[:3], "big"))
            kind, flags, identifier = head[3], head[4], int.from_bytes(head[5:], "big")
            if kind == 4 and not flags & 1:
                frame(4, 1, 0)
            elif kind == 6 and not flags & 1:
                frame(6, 1, 0, payload)
            # The last frame of a request: of its header, or of its body.
            elif kind in (0, 1) and flags & 1:
                special = behaviour != "plain" and is_first()
                if special and behaviour == "refused":
                    frame(3, 0, identifier, struct.pack(">I", 7))
                    continue
                if special and behaviour == "goaway":
                    frame(7, 0, 0, struct.pack(">II", 0, 0))
                    continue
                text = json.dumps({"connection": number, "stream": identifier}).encode()
                # :status 200, and content-type as a literal with an indexed name.
                kind_of = b"application/json"
                frame(1, 4, identifier, b"\x88\x0f\x10" + bytes([len(kind_of)]) + kind_of)
                if special:
                    frame(0, 0, identifier, text[:3])
                    frame(3, 0, identifier, struct.pack(">I", 2))
                else:
                    frame(0, 1, identifier, text)

    return serve


# MARK: proxies


def reach(host, port):
    if host.endswith(".test"):
        host = "127.0.0.1"
    return socket.create_connection((host, port), timeout=10)


def pump(one, other):
    while True:
        for source in select.select([one, other], [], [], 30)[0] or [None]:
            data = source.recv(65536) if source else b""
            if not data:
                return
            (other if source is one else one).sendall(data)


def http_proxy(wanted=None, tunnel_status=None):
    def serve(stream, _):
        while True:
            (method, target, version), fields = read_head(stream)
            given = fields.pop("proxy-authorization", None)
            if wanted and given != "Basic " + base64.b64encode(wanted.encode()).decode():
                answer(stream, 407, b"who are you?", 'Proxy-Authenticate: Basic realm="peer"')
                continue
            if method == "CONNECT":
                if tunnel_status:
                    answer(stream, tunnel_status, b"no")
                    continue
                host, _, port = target.rpartition(":")
                with reach(host, int(port)) as other:
                    stream.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    pump(stream, other)
                return
            host, _, rest = target.removeprefix("http://").partition("/")
            name, _, port = host.partition(":")
            body = read_exactly(stream, int(fields.get("content-length", 0)))
            with reach(name, int(port or 80)) as other:
                lines = [f"{method} /{rest} {version}", "Via: 1.1 peer"]
                lines += [f"{name}: {value}" for name, value in fields.items() if name != "connection"]
                lines.append("Connection: close")
                other.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
                _, fields = read_head(other)
                answer(stream, 200, read_exactly(other, int(fields["content-length"])),
                       "Content-Type: application/json")

    return serve


def socks(wanted=None):
    def serve(stream, _):
        _, count = read_exactly(stream, 2)
        methods = read_exactly(stream, count)
        method = 2 if wanted else 0
        if method not in methods:
            return stream.sendall(b"\x05\xff")
        stream.sendall(bytes([5, method]))
        if wanted:
            _, length = read_exactly(stream, 2)
            user = read_exactly(stream, length)
            password = read_exactly(stream, read_exactly(stream, 1)[0])
            is_fine = (user + b":" + password).decode() == wanted
            stream.sendall(bytes([1, 0 if is_fine else 1]))
            if not is_fine:
                return
        _, _, _, kind = read_exactly(stream, 4)
        if kind == 1:
            host = socket.inet_ntoa(read_exactly(stream, 4))
        else:
            host = read_exactly(stream, read_exactly(stream, 1)[0]).decode()
        port = int.from_bytes(read_exactly(stream, 2), "big")
        with reach(host, port) as other:
            stream.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
            pump(stream, other)

    return serve


def main():
    certificates()
    listen("http", http)
    listen("no-tls", no_tls)
    for name in ("good", "wrong", "expired", "future", "self"):
        listen(name, http, context(name))
    old = context("good")
    try:
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        listen("old", http, old)
    except (ssl.SSLError, ValueError):
        pass  # This OpenSSL has no versions that old.
    for name, version in (("mutual", ssl.TLSVersion.TLSv1_3), ("mutual12", ssl.TLSVersion.TLSv1_2)):
        mutual = context("good")
        mutual.verify_mode = ssl.CERT_REQUIRED
        mutual.load_verify_locations(path("ca.pem"))
        mutual.minimum_version = mutual.maximum_version = version
        listen(name, http, mutual)
    for behaviour in ("plain", "refused", "goaway", "broken"):
        listen("h2-" + behaviour, http2(behaviour), context("good", ("h2", "http/1.1")))
    listen("proxy", http_proxy())
    listen("proxy-auth", http_proxy("ann:c4n4ry p@ss"))
    listen("proxy-closed", http_proxy(tunnel_status=403))
    listen("proxy-busy", http_proxy(tunnel_status=503))
    listen("proxy-tls", http_proxy(), context("good"))
    listen("socks", socks())
    listen("socks-auth", socks("ann:c4n4ry p@ss"))
    print(json.dumps({"folder": folder, "ports": ports}), flush=True)
    parent = os.getppid()
    # A test process that was killed may have left its end of the pipe to another one.
    while not select.select([sys.stdin], [], [], 1)[0] and os.getppid() == parent:
        pass


try:
    main()
finally:
    shutil.rmtree(folder)
