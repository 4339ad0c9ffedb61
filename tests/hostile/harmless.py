"""Texts full of what looks random and is no secret: digests, ids, lock files, public keys, placeholders."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid


def digest(seed: str, algorithm: str = "sha256") -> str:
    """A digest in hex."""
    return hashlib.new(algorithm, seed.encode()).hexdigest()


def in_base64(seed: str, algorithm: str = "sha256") -> str:
    """A digest in base64."""
    return base64.b64encode(hashlib.new(algorithm, seed.encode()).digest()).decode()


def ulid(seed: str) -> str:
    """An id in the form of a ULID."""
    return "01" + "".join(random.Random(seed).choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=24))


def harmless_texts() -> dict[str, str]:
    """The texts by name; each begins with the word that finds it."""
    some_uuid = uuid.UUID(int=random.Random("uuid").getrandbits(128), version=4)
    return {
        "npm lock": f'petrel\n"node_modules/petrel": {{\n  "version": "1.2.3",\n'
        f'  "resolved": "https://registry.npmjs.org/petrel/-/petrel-1.2.3.tgz",\n'
        f'  "integrity": "sha512-{in_base64("npm", "sha512")}"\n}}\n',
        "poetry lock": f'petrel\nname = "petrel"\ncontent-hash = "{digest("content")}"\nfiles = [\n'
        f'    {{file = "petrel-1.2.3.tar.gz", hash = "sha256:{digest("poetry")}"}},\n]\n',
        "go sum": f"petrel\ngithub.com/petrel/petrel v1.2.3 h1:{in_base64('go')}\n"
        f"github.com/petrel/petrel v1.2.3/go.mod h1:{in_base64('mod')}\n",
        "cargo lock": f'petrel\nname = "petrel"\nversion = "1.2.3"\nchecksum = "{digest("cargo")}"\n',
        "requirements": f"petrel==1.2.3 \\\n    --hash=sha256:{digest('pip')}\n",
        "git log": f"petrel\ncommit {digest('commit', 'sha1')}\nblob {digest('blob', 'sha1')}\n"
        f"index {digest('a', 'sha1')[:7]}..{digest('b', 'sha1')[:7]} 100644\n",
        "image": f"petrel\nFROM ghcr.io/petrel/petrel:1.2.3@sha256:{digest('image')}\n",
        "ids": f"petrel\nrun {some_uuid}\nevent {ulid('event')}\n",
        "trace": f"petrel\ntraceparent: 00-{digest('trace', 'md5')}-{digest('span', 'md5')[:16]}-01\n",
        "public key": f"petrel\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{in_base64('ssh')[:43]} petrel@example.invalid\n",
        "placeholders": "petrel\npassword: ${DB_PASSWORD}\ntoken: <TOKEN>\nsecret: op://vault/petrel/password\n"
        "api_key: {{ secrets.API_KEY }}\n",
        "image data": f"petrel\n![x](data:image/png;base64,{in_base64('png', 'sha512')})\n",
    }
