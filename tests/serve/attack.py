#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What curl cannot send: attack.py PORT ATTACK [ARGUMENT]; prints what became of it."""
import socket
import sys
import time


def connect(port):
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.settimeout(60)
    return client


def answer(client):
    """The first line of the answer, "" where the server hung up without one."""
    got = b""
    try:
        while b"\r\n" not in got:
            piece = client.recv(4096)
            if not piece:
                break
            got += piece
    except ConnectionError:
        pass
    return got.split(b"\r\n")[0].decode("latin-1")


def raw(port, text):
    """One request as it stands, with \\r and \\n written out."""
    client = connect(port)
    client.sendall(text.encode("latin-1").decode("unicode_escape").encode("latin-1"))
    print(answer(client) or "hung up")


def slow(port, _):
    """A header that never ends, a byte at a time: how long until the server has enough."""
    client = connect(port)
    client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX: " % port)
    client.settimeout(0.5)
    started = time.monotonic()
    while time.monotonic() - started < 60:
        try:
            client.sendall(b"a")
            if client.recv(1) == b"":
                break
        except socket.timeout:
            continue
        except ConnectionError:
            break
    else:
        print("still open after 60 s")
        return
    print("hung up")


def deaf(port, path):
    """Asks and never reads; the server must serve others meanwhile."""
    clients = []
    for _ in range(20):
        client = connect(port)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.sendall(b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (path.encode(), port))
        clients.append(client)
    other = connect(port)
    other.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
    print(answer(other))


def crowd(port, number):
    """So many connections at once: how many were refused, and does one of the others still get its answer."""
    clients = [connect(port) for _ in range(int(number))]
    time.sleep(1)
    refused = 0
    kept = []
    for client in clients:
        client.setblocking(False)
        try:
            refused += client.recv(1) == b""
        except BlockingIOError:
            kept.append(client)
        except ConnectionError:
            refused += 1
    kept[0].setblocking(True)
    kept[0].sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
    print(f"{refused} refused, {len(kept)} kept, {answer(kept[0])}")


def flood(port, path):
    """Requests as fast as they go; who is refused is hung up on, and comes again: what was answered, and how."""
    request = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (path.encode(), port)
    found = {}
    headers = b""
    while found.get("429", 0) < 200 and sum(found.values()) < 100000:
        client = connect(port)
        wire = client.makefile("rb")
        try:
            client.sendall(request * 20)
            while line := wire.readline():
                status = line.split()[1].decode()
                found[status] = found.get(status, 0) + 1
                headers = b"".join(iter(wire.readline, b"\r\n")).lower()
                length = [line for line in headers.split(b"\r\n") if line.startswith(b"content-length:")]
                wire.read(int(length[0].split(b":")[1]))
                if status == "200" and found[status] % 20 == 0:
                    client.sendall(request * 20)
        except ConnectionError:
            pass
        client.close()
    print(*sorted(found), "Retry-After" if b"\r\nretry-after: 5\r\n" in headers else "")


def garbage(port, seed):
    """Bytes that are no HTTP."""
    state = int(seed)
    for _ in range(100):
        noise = bytearray()
        for _ in range(200):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            noise.append(state >> 56)
        client = connect(port)
        try:
            client.sendall(bytes(noise) + b"\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
            answer(client)
        except OSError:
            pass
        client.close()
    print("done")


ATTACKS = {"raw": raw, "slow": slow, "deaf": deaf, "crowd": crowd, "flood": flood, "garbage": garbage}
ATTACKS[sys.argv[2]](int(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else "")
