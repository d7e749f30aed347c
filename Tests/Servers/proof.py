#!/usr/bin/env python3
"""Checks the output of `authctl token --proof` with joserfc: both headers, on standard input.

Usage: proof.py URL METHOD
"""
import base64
import hashlib
import json
import sys
import time

from joserfc import jws
from joserfc.jwk import ECKey


def main():
    authorization, proof = (line.split(": ", 1)[1].rstrip("\n") for line in sys.stdin)
    scheme, token = authorization.split(" ")
    assert scheme == "DPoP", scheme
    padded = proof.split(".")[0] + "=="
    header = json.loads(base64.urlsafe_b64decode(padded))
    assert header["typ"] == "dpop+jwt" and header["alg"] == "ES256", header
    assert set(header["jwk"]) == {"kty", "crv", "x", "y"}, header
    claims = json.loads(jws.deserialize_compact(proof, ECKey.import_key(header["jwk"])).payload)
    assert claims["htu"] == sys.argv[1] and claims["htm"] == sys.argv[2], claims
    assert abs(claims["iat"] - time.time()) < 60, claims
    digest = hashlib.sha256(token.encode()).digest()
    assert claims["ath"] == base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), claims


main()
