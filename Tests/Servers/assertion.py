#!/usr/bin/env python3
"""Checks the client assertions that the emulator recorded in a file, with joserfc.

Usage: assertion.py RECORD KEY.pem CLIENT-ID ISSUER ALGORITHM
"""
import base64
import json
import subprocess
import sys
import time

from joserfc import jwk, jws


def part(token, index):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[index] + "=="))


def main():
    record, path, client, issuer, algorithm = sys.argv[1:]
    public = subprocess.run(["openssl", "pkey", "-in", path, "-pubout"], check=True, capture_output=True).stdout
    kind = {"R": jwk.RSAKey, "P": jwk.RSAKey, "E": jwk.ECKey}[algorithm[0]] if algorithm != "EdDSA" else jwk.OKPKey
    key, seen = kind.import_key(public), set()
    for token in open(record).read().split():
        if token.count(".") != 2 or "sub" not in part(token, 1) or part(token, 1)["sub"] != client:
            continue
        assert part(token, 0)["alg"] == algorithm, part(token, 0)
        claims = json.loads(jws.deserialize_compact(token, key, algorithms=[algorithm]).payload)
        assert claims["iss"] == claims["sub"] == client and claims["aud"] == issuer, claims
        assert 0 < claims["exp"] - claims["iat"] <= 300 and abs(claims["iat"] - time.time()) < 60, claims
        assert claims["jti"] not in seen, "a jti that was used before"
        seen.add(claims["jti"])
    assert len(seen) >= 2, "no assertions"


main()
