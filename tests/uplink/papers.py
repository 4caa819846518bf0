"""Certificates of a house: the authority, a broker, a table, a pit, and one of a foreign authority."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

Pair = tuple[Path, Path]
"""A certificate and its key, two PEM files."""


@dataclass(frozen=True)
class Papers:
    ca: Path
    broker: Pair
    table: Pair
    pit: Pair
    stranger: Pair
    """Certificate in the table's name, signed by a foreign authority."""
    tables: dict[str, Pair]
    """Certificates of further tables, by name."""

    def of_pit(self) -> ssl.SSLContext:
        made = ssl.create_default_context(cafile=str(self.ca))
        made.load_cert_chain(*self.pit)
        return made


def papers(
    folder: Path, table: str, pit: str, host: str = "127.0.0.1", tables: Sequence[str] = ()
) -> Papers:  # fmt: skip
    """Write the certificates into the folder. `host`: the broker's address. `tables`: names of further
    tables."""
    house, other = _authority("house"), _authority("somebody else")
    ca = folder / "ca.pem"
    ca.write_bytes(house[0].public_bytes(Encoding.PEM))
    return Papers(
        ca, _written(folder, "broker", _signed("localhost", house, host)),
        _written(folder, "table", _signed(table, house)), _written(folder, "pit", _signed(pit, house)),
        _written(folder, "stranger", _signed(table, other)),
        {name: _written(folder, f"table-{name}", _signed(name, house)) for name in tables},
    )  # fmt: skip


Signed = tuple[x509.Certificate, Ed25519PrivateKey]
SIGNS = x509.KeyUsage(
    digital_signature=False, content_commitment=False, key_encipherment=False, data_encipherment=False,
    key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
)  # fmt: skip
"""Extensions that Python 3.13 requires of an authority, and the key identifier that it requires of every
certificate."""


def _authority(name: str) -> Signed:
    key = Ed25519PrivateKey.generate()
    subject = _name(name)
    built = _builder(subject, subject, key).add_extension(x509.BasicConstraints(True, None), critical=True)
    return built.add_extension(SIGNS, critical=True).sign(key, None), key


def _signed(name: str, by: Signed, host: str = "127.0.0.1") -> Signed:
    key = Ed25519PrivateKey.generate()
    names = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ip_address(host))])
    built = _builder(_name(name), by[0].subject, key).add_extension(names, critical=False)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(by[1].public_key())
    return built.add_extension(issuer, critical=False).sign(by[1], None), key


def _builder(subject: x509.Name, issuer: x509.Name, key: Ed25519PrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    built = x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(), now - timedelta(days=1),
        now + timedelta(days=1),
    )  # fmt: skip
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return built.add_extension(own, critical=False)


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _written(folder: Path, name: str, signed: Signed) -> Pair:
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    certificate.write_bytes(signed[0].public_bytes(Encoding.PEM))
    key.write_bytes(signed[1].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate, key
