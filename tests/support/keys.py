"""Keys with certificates for tests of signatures: an authority, who it certifies, and a time stamp server."""

from __future__ import annotations

import datetime
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PASSPHRASE = "a word of the office"
YEAR = datetime.timedelta(days=365)


@dataclass(frozen=True)
class Key:
    """A key with its certificate."""

    own: rsa.RSAPrivateKey
    certificate: x509.Certificate

    @property
    def pem(self) -> bytes:
        """The certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The key, which nothing locks."""
        return self.own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    def p12(self, passphrase: str | None = PASSPHRASE) -> bytes:
        """Return both as PKCS#12."""
        how = serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption()
        return pkcs12.serialize_key_and_certificates(b"key", self.own, self.certificate, None, how)


def made(
    name: str,
    *,
    issuer: Key | None = None,
    organisation: str | None = None,
    begins: datetime.timedelta = -YEAR,
    ends: datetime.timedelta = YEAR,
    stamps: bool = False,
) -> Key:
    """Make a key; without an issuer it certifies itself and others."""
    own, now = rsa.generate_private_key(public_exponent=65537, key_size=2048), datetime.datetime.now(datetime.UTC)
    parts = [x509.NameAttribute(NameOID.COMMON_NAME, name)]
    if organisation is not None:
        parts.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation))
    subject, is_authority = x509.Name(parts), issuer is None
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.certificate.subject)
        .public_key(own.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + begins)
        .not_valid_after(now + ends)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True,
                content_commitment=not stamps,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=is_authority,
                crl_sign=is_authority,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
    )
    if stamps:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
    return Key(own, builder.sign(own if issuer is None else issuer.own, hashes.SHA256()))


SETTINGS = """
[tsa]
default_tsa = here
[here]
serial = {folder}/serial
signer_cert = {folder}/stamps.pem
signer_key = {folder}/stamps.key
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
"""


@contextmanager
def time_stamp_server(key: Key, folder: Path) -> Iterator[str]:
    """Serve time stamps that OpenSSL makes, and yield the address."""
    (folder / "tsa.cnf").write_text(SETTINGS.format(folder=folder), encoding="utf-8")
    (folder / "stamps.pem").write_bytes(key.pem)
    (folder / "stamps.key").write_bytes(key.key_pem)
    (folder / "serial").write_text("01\n", encoding="utf-8")

    class Stamps(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = folder / "query.tsq"
            query.write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
            command = ["openssl", "ts", "-reply", "-config", str(folder / "tsa.cnf"), "-queryfile", str(query)]
            reply = subprocess.run(command, capture_output=True, check=True).stdout
            self.send_response(200)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Stamps) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
