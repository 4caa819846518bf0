"""Notes follow C2SP: the examples of the specification verify, and forbidden notes are refused."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.common.tlog.note import (
    COSIGNATURE,
    MAX_NOTE_BYTES,
    MAX_SIGNATURES,
    BadNote,
    BadSignature,
    Checkpoint,
    Note,
    NoteSignature,
    SigningKey,
    VerifierKey,
)

KEY = VerifierKey.parse("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
EXAMPLE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
COSIGNED = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa \
Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 \
jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""
GO = """go.sum database tree
35225469
vt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=

— sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=
"""
TABLE = SigningKey("table.example/1", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
WITNESS = SigningKey("witness.example/w", Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64))))
CHECKPOINT = Checkpoint("table.example/1", 3, bytes(32))


def signed() -> Note:
    text = CHECKPOINT.text()
    return Note.of(text, TABLE.sign(text), WITNESS.cosign(text, 1_700_000_000))


def test_the_example_of_the_specification_verifies_with_its_key() -> None:
    note = Note.parse(EXAMPLE)
    assert note.text == "This is an example message.\n"
    assert note.signed_by(KEY)
    assert str(note) == EXAMPLE
    assert Note.parse(EXAMPLE.encode()) == note
    assert KEY.text() == "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"


def test_the_checkpoint_of_the_specification_is_read_and_written_back() -> None:
    note = Note.parse(COSIGNED)
    checkpoint = Checkpoint.parse(note.text)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert checkpoint.text() == note.text
    assert str(note) == COSIGNED


def test_a_checkpoint_of_the_go_checksum_database_verifies_with_its_key() -> None:
    """The signature of this checkpoint was made by another implementation, that of Go's checksum database."""
    key = VerifierKey.parse("sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")
    note = Note.parse(GO)
    assert note.signed_by(key)
    assert Checkpoint.parse(note.text).size == 35225469


def test_signature_and_cosignature_verify_only_with_their_own_keys() -> None:
    note = signed()
    assert note.signed_by(TABLE.verifier())
    assert note.cosigned_by(WITNESS.verifier(COSIGNATURE)) == 1_700_000_000
    assert note.signed_by(WITNESS.verifier(COSIGNATURE))
    assert not note.signed_by(WITNESS.verifier())
    assert note.cosigned_by(TABLE.verifier(COSIGNATURE)) is None
    assert not note.signed_by(KEY)


def test_another_text_with_the_same_signatures_is_an_error() -> None:
    note = signed()
    forged = Note(Checkpoint("table.example/1", 4, bytes(32)).text(), note.signatures)
    for key in (TABLE.verifier(), WITNESS.verifier(COSIGNATURE)):
        with pytest.raises(BadSignature):
            forged.signed_by(key)


def test_an_invalid_signature_of_a_known_key_invalidates_the_note() -> None:
    good = signed().signatures[0]
    bad = NoteSignature(good.name, good.id, bytes(64))
    for lines in ((good, bad), (bad, good)):
        with pytest.raises(BadSignature):
            Note(CHECKPOINT.text(), lines).signed_by(TABLE.verifier())


def test_a_signature_that_matches_only_name_or_number_of_a_key_is_ignored() -> None:
    good = signed().signatures[0]
    others = (NoteSignature("else.example", good.id, bytes(64)), NoteSignature(good.name, b"none", bytes(64)))
    assert Note(CHECKPOINT.text(), (*others, good)).signed_by(TABLE.verifier())
    assert not Note(CHECKPOINT.text(), others).signed_by(TABLE.verifier())


@pytest.mark.parametrize("data", [bytes(72), bytes(64), b"\xff" * 72, (1).to_bytes(8, "big")])
def test_a_cosignature_without_a_time_or_a_signature_is_an_error(data: bytes) -> None:
    key = WITNESS.verifier(COSIGNATURE)
    with pytest.raises(BadSignature):
        Note(CHECKPOINT.text(), (NoteSignature(key.name, key.id, data),)).cosigned_by(key)


def test_of_two_cosignatures_the_later_one_counts() -> None:
    text = CHECKPOINT.text()
    note = Note.of(text, WITNESS.cosign(text, 20), WITNESS.cosign(text, 30), WITNESS.cosign(text, 10))
    assert note.cosigned_by(WITNESS.verifier(COSIGNATURE)) == 30


def test_the_text_ends_at_the_last_empty_line() -> None:
    text = "one\n\ntwo\n"
    note = Note.of(text, TABLE.sign(text))
    assert note.text == text
    assert note.signed_by(TABLE.verifier())


LINE = TABLE.sign("a\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "a\n\n",
        f"a\n{LINE}\n",
        f"a\n\n{LINE}",
        f"a\n\n{LINE}\n\n",
        f"a\n\n{LINE}\nb\n",
        f"a\r\n\n{LINE}\n",
        f"a\x00\n\n{LINE}\n",
        f"a\n\n{LINE}\r\n",
        "a\n\n— name AAAA\n",
        "a\n\n— name AAAAAAB=\n",
        "a\n\n— name !AAAAAAA\n",
        "a\n\n— na+me AAAAAAAA\n",
        "a\n\n— na\u00a0me AAAAAAAA\n",
        "a\n\n—  AAAAAAAA\n",
        "a\n\n- name AAAAAAAA\n",
        "a\n\n— name\n",
        b"\xff\n\n" + LINE.encode() + b"\n",
        "\ud800\n\n" + LINE + "\n",
        f"a\n\n{LINE}\n" + f"{LINE}\n" * MAX_SIGNATURES,
        "a" * MAX_NOTE_BYTES + f"\n\n{LINE}\n",
    ],
)
def test_an_invalid_note_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadNote):
        Note.parse(text)


def test_a_note_may_have_sixteen_signatures() -> None:
    assert len(Note.parse("a\n\n" + f"{LINE}\n" * 16).signatures) == 16


@pytest.mark.parametrize(
    "text",
    [
        "",
        "o\n1\n",
        "o\n1\nAAAA\n",
        f"o\n01\n{'A' * 43}=\n",
        f"o\n-1\n{'A' * 43}=\n",
        f"o\n٣\n{'A' * 43}=\n",
        f"o\n9223372036854775808\n{'A' * 43}=\n",
        f"\n1\n{'A' * 43}=\n",
        f"o\n1\n{'A' * 43}=",
        f"o\n1\n{'A' * 43}=\n\nmore\n",
    ],
)
def test_an_invalid_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        Checkpoint.parse(text)


def test_extension_lines_of_a_checkpoint_are_ignored() -> None:
    assert Checkpoint.parse(CHECKPOINT.text() + "more\n") == CHECKPOINT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.com/foo",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+Aeky",
        "exa mple+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    ],
)
def test_an_invalid_verifier_key_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        VerifierKey.parse(text)


def test_a_private_key_is_read_back_and_never_shown() -> None:
    key = SigningKey.new("table.example/2")
    secret = key.text(COSIGNATURE)
    assert SigningKey.parse(secret, COSIGNATURE).verifier() == key.verifier()
    hidden = secret.split("+", 4)[4]  # the secret part may itself contain a +
    assert hidden[:20] not in repr(key) + str(key)
    for bad in (secret.removeprefix("PRIVATE+KEY+"), "", secret.replace("table", "tabel")):
        with pytest.raises(BadNote):
            SigningKey.parse(bad, COSIGNATURE)
    with pytest.raises(BadNote):
        SigningKey.parse(secret)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u2003b"])
def test_a_key_name_that_notes_forbid_is_refused(name: str) -> None:
    with pytest.raises(BadNote):
        SigningKey.new(name)
