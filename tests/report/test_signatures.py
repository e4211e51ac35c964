"""A report is signed with a key of one's own: by whom, whether it fits and is trusted, and what was altered after."""

from __future__ import annotations

import datetime
import io
import json
import random
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import keys
import outloud
import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import NoEncryption, pkcs12
from cryptography.x509.oid import NameOID
from places import SAMPLES

from fairaudit import AuditPlan, run, verify
from fairaudit.errors import InputError, ReportError
from fairaudit.report import signatures, signing
from fairaudit.report.composing import write_report
from fairaudit.report.manifest import INSTALL, MANIFEST, MANIFEST_SIGNATURE, SIGNED, Manifest, digest_of
from fairaudit.report.result_files import open_results
from fairaudit.report.signatures import signatures_of
from fairaudit.report.signing import sign_report
from fairaudit.report.verified import Signature, Verification, say_verification

writing = pytest.importorskip(
    "pyhanko.pdf_utils.incremental_writer", reason="pyHanko is not installed, so nothing is signed"
)

DATA = SAMPLES / "berkeley_1973.csv"


def program(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(scope="module")
def authority():
    return keys.made("Authority of the State")


@pytest.fixture(scope="module")
def office(authority):
    return keys.made("A. Auditor", issuer=authority, organisation="Office of Public Audit")


@pytest.fixture(scope="module")
def stamper(authority):
    return keys.made("A clock", issuer=authority, stamps=True)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write_report(run(AuditPlan.load(SAMPLES / "berkeley_1973.toml"), base=SAMPLES), folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def placed(folder, files):
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def signed_with(key, folder, **how):
    path = folder.parent / "key.p12"
    path.write_bytes(key.p12())
    files = sign_report(folder, path, lambda: keys.PASSPHRASE, **how)
    return placed(folder, files)


@pytest.fixture(scope="module")
def signed(written, office, tmp_path_factory):
    folder = signed_with(office, placed(tmp_path_factory.mktemp("signed") / "results", written))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(signed, tmp_path):
    """A signed report, to be altered."""
    return placed(tmp_path / "results", signed)


@pytest.fixture(scope="module")
def trust(authority, tmp_path_factory):
    path = tmp_path_factory.mktemp("trust") / "authority.pem"
    path.write_bytes(authority.pem)
    return [path]


def states(found):
    return {each.file: each.state for each in found.signatures}


def list_again(folder):
    """Have the manifest list the files as they are now, as somebody would who wants to hide a change."""
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    files = {name: digest_of((folder / name).read_bytes()) for name in manifest.compared.files}
    listed = manifest.model_copy(update={"compared": manifest.compared.model_copy(update={"files": files})})
    (folder / MANIFEST).write_bytes(listed.to_json())


def test_a_signed_report_is_unchanged_and_names_who_signed(written, folder, trust):
    assert {name: (folder / name).read_bytes() for name in written} == written, "not a byte of the report is touched"
    found = verify(folder, trust=trust)
    assert found.verdict == "unchanged" and found.is_signed_by_trusted
    assert states(found) == dict.fromkeys(SIGNED, "trusted")
    for each in found.signatures:
        assert each.by == "A. Auditor, Office of Public Audit" and not each.is_time_stamped
        assert abs(each.at - datetime.datetime.now(datetime.UTC)) < datetime.timedelta(minutes=10)
    assert verify(folder, DATA, trust=trust).verdict == "made_again"


def test_without_the_certificate_the_key_is_not_trusted(folder, tmp_path):
    found = verify(folder)
    assert found.verdict == "unchanged" and states(found) == dict.fromkeys(SIGNED, "not_trusted")
    other = tmp_path / "other.pem"
    other.write_bytes(keys.made("Authority of the State").pem)
    assert states(verify(folder, trust=[other])) == dict.fromkeys(SIGNED, "not_trusted"), "a name alone is no key"


def test_the_certificate_of_the_office_itself_is_enough(folder, office, tmp_path):
    path = tmp_path / "office.pem"
    path.write_bytes(office.pem)
    assert verify(folder, trust=[path]).is_signed_by_trusted


def test_a_report_that_nobody_signed_says_so(written, tmp_path):
    found = verify(placed(tmp_path / "results", written))
    assert found.verdict == "unchanged" and found.signatures == () and not found.is_signed_by_trusted


def alter_digit(folder):
    values = json.loads((folder / "result.json").read_bytes())
    values["checks"][0]["result"]["difference"] += 1e-4
    text = json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
    (folder / "result.json").write_text(text, encoding="utf-8")


def alter_byte(name, at=0.5):
    def alter(folder):
        content = bytearray((folder / name).read_bytes())
        content[int(len(content) * at)] ^= 1
        (folder / name).write_bytes(content)

    return alter


ALL = {*SIGNED}


@pytest.mark.parametrize(
    ("alter", "hides", "invalid"),
    [
        (alter_digit, False, set()),
        (alter_digit, True, {MANIFEST_SIGNATURE}),
        (alter_byte("report.pdf"), False, {"report.signed.pdf"}),
        (alter_byte("report.pdf"), True, {MANIFEST_SIGNATURE, "report.signed.pdf"}),
        (alter_byte("report.signed.pdf", 0.3), False, {"report.signed.pdf"}),
        (alter_byte("annexes.signed.pdf", 0.999), False, {"annexes.signed.pdf"}),
        (alter_byte(MANIFEST_SIGNATURE), False, {MANIFEST_SIGNATURE}),
        (lambda folder: (folder / "tables.zip").unlink(), False, set()),
        (lambda folder: (folder / "report.signed.pdf").write_bytes(b"x"), False, {"report.signed.pdf"}),
        (lambda folder: (folder / MANIFEST_SIGNATURE).write_bytes(b""), False, {MANIFEST_SIGNATURE}),
    ],
    ids=["digit", "digit and list", "byte", "byte and list", "byte of signed PDF", "last bytes of signed PDF",
         "byte of signature", "file gone", "no PDF", "no signature"],
)  # fmt: skip
def test_what_is_altered_after_signing_is_found(folder, trust, alter, hides, invalid):
    alter(folder)
    if hides:
        list_again(folder)
    found = verify(folder, trust=trust)
    assert found.verdict == "changed"
    assert {each.file for each in found.signatures if each.state == "invalid"} == invalid


@pytest.mark.thorough
def test_the_signed_report_of_another_audit_does_not_fit(folder, trust, office, tmp_path, written):
    result = run(AuditPlan.load(SAMPLES / "berkeley_1973.toml").model_copy(update={"seed": 7}), base=SAMPLES)
    other = tmp_path / "other"
    write_report(result, other)
    signed_with(office, other)
    (folder / "report.signed.pdf").write_bytes((other / "report.signed.pdf").read_bytes())
    found = verify(folder, trust=trust)
    assert found.verdict == "changed" and states(found)["report.signed.pdf"] == "invalid"


def test_what_is_written_after_the_signature_of_a_pdf_is_found(folder, trust):
    path = folder / "report.signed.pdf"
    with pikepdf.open(path) as opened:
        opened.pages[0].contents_add(b"0 0 100 100 re f")
        stream = io.BytesIO()
        opened.save(stream)
    path.write_bytes(stream.getvalue())
    assert states(verify(folder, trust=trust))["report.signed.pdf"] == "invalid"
    path.write_bytes((folder / "annexes.signed.pdf").read_bytes())
    assert states(verify(folder, trust=trust))["report.signed.pdf"] == "invalid", "that of another file"


def test_signed_pages_without_the_signature_of_the_list_are_not_enough(folder, trust):
    (folder / MANIFEST_SIGNATURE).unlink()
    alter_digit(folder)
    list_again(folder)
    found = verify(folder, trust=trust)
    assert found.verdict == "changed" and found.names("missing") == (MANIFEST_SIGNATURE,)


@pytest.mark.thorough
def test_bytes_that_are_changed_at_random_make_no_signature_fit_or_fail(signed, written, trust, tmp_path):
    rng, fits = random.Random(0), []
    for number in range(40):
        name = rng.choice(sorted(SIGNED))
        content = bytearray(signed[name])
        # What the signature itself leaves open in a PDF, and certificates beside it, may change.
        most = len(written[SIGNED[name]]) if name.endswith(".pdf") else len(content)
        content[rng.randrange(most)] ^= 1 << rng.randrange(8)
        folder = placed(tmp_path / str(number), signed | {name: bytes(content)})
        state = states(verify(folder, trust=trust))[name]
        fits += [number] if name.endswith(".pdf") and state != "invalid" else []
    assert not fits


# Pages that are not those of the file, though the signed file begins with its bytes.


def states_of(files, folder, *trusted):
    """Check the signatures alone."""
    folder = placed(folder, files)
    found = signatures_of(open_results(folder), Manifest.read(files[MANIFEST]), [each.pem for each in trusted])
    return {each.file: each.state for each in found}


def signer_of(key):
    from pyhanko.sign import SimpleSigner

    return SimpleSigner.load_pkcs12_data(key.p12(None), [], None)


def first_page(writer):
    page = writer.root["/Pages"]
    while "/Kids" in page:
        page = page["/Kids"][0].get_object()
    return page


def put(writer, holder, key, value):
    from pyhanko.pdf_utils import generic

    holder[generic.NameObject(key)] = value
    writer.update_container(holder)


def other_content(writer):
    from pyhanko.pdf_utils import generic

    drawn = generic.StreamObject(stream_data=b"q 1 0 0 rg 50 50 400 700 re f Q")
    put(writer, first_page(writer), "/Contents", writer.add_object(drawn))


def other_stream(writer):
    from pyhanko.pdf_utils import generic

    place = first_page(writer).raw_get("/Contents").reference
    writer.objects[(place.generation, place.idnum)] = generic.StreamObject(stream_data=b"0 0 100 100 re f")


def other_size(writer):
    from pyhanko.pdf_utils import generic

    put(writer, first_page(writer), "/MediaBox", generic.ArrayObject(map(generic.NumberObject, (0, 0, 100, 100))))


def picture_on_page(writer):
    from pyhanko.pdf_utils import generic

    name = generic.NameObject
    drawn = generic.DictionaryObject({name("/Type"): name("/Annot"), name("/Subtype"): name("/FreeText")})
    put(writer, first_page(writer), "/Annots", generic.ArrayObject([writer.add_object(drawn)]))


def action_on_opening(writer):
    from pyhanko.pdf_utils import generic

    name = generic.NameObject
    put(writer, writer.root, "/OpenAction", generic.DictionaryObject({name("/S"): name("/Named")}))


def other_attachments(writer):
    from pyhanko.pdf_utils import generic

    put(writer, writer.root, "/Names", generic.DictionaryObject())


def other_title(writer):
    from pyhanko.pdf_utils import generic

    put(writer, writer.trailer["/Info"], "/Title", generic.TextStringObject("No gap"))


EDITS = [other_content, other_stream, other_size, picture_on_page, action_on_opening, other_attachments, other_title]


@pytest.mark.thorough
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_within", [False, True], ids=["before the signature", "with the signature"])
def test_a_signed_pdf_that_shows_anything_else_does_not_fit(written, office, tmp_path, monkeypatch, edit, is_within):
    content = written["report.pdf"]
    if is_within:
        tag = signing._tag_field
        monkeypatch.setattr(signing, "_tag_field", lambda writer: (tag(writer), edit(writer)))
    else:
        writer = writing.IncrementalPdfFileWriter(io.BytesIO(content))
        edit(writer)
        out = io.BytesIO()
        writer.write(out)
        content = out.getvalue()
    altered = signing._pdf_signed(content, signer_of(office), None)
    assert altered.startswith(written["report.pdf"])
    assert states_of(written | {"report.signed.pdf": altered}, tmp_path / "results", office) == {
        "report.signed.pdf": "invalid"
    }


def test_other_pages_under_the_signature_of_a_trusted_key_are_found(written, folder, office, trust):
    path = folder / "report.signed.pdf"
    assert (
        states_of({name: (folder / name).read_bytes() for name in [*written, path.name]}, folder, office)[path.name]
        == "trusted"
    ), "the same without the change fits"
    writer = writing.IncrementalPdfFileWriter(io.BytesIO(written["report.pdf"]))
    other_content(writer)
    out = io.BytesIO()
    writer.write(out)
    path.write_bytes(signing._pdf_signed(out.getvalue(), signer_of(office), None))
    found = verify(folder, trust=trust)
    assert found.verdict == "changed" and not found.is_signed_by_trusted
    assert {each.file for each in found.signatures if each.state == "invalid"} == {path.name}


def test_the_signature_of_another_key_beside_a_trusted_list_does_not_fit(signed, written, office, tmp_path):
    other = keys.made("Office of Public Audit")
    files = signed | {"report.signed.pdf": signing._pdf_signed(written["report.pdf"], signer_of(other), None)}
    expected = dict.fromkeys(SIGNED, "trusted") | {"report.signed.pdf": "invalid"}
    assert states_of(files, tmp_path / "one", office) == expected
    assert states_of(files, tmp_path / "both", office, other) == expected, "though both keys are trusted"
    expected = dict.fromkeys(SIGNED, "not_trusted") | {"report.signed.pdf": "trusted"}
    assert states_of(files, tmp_path / "other", other) == expected


def test_ends_of_a_file_without_number_take_no_time(written, tmp_path):
    files = written | {"report.signed.pdf": b"%%EOF" * 400_000}
    began = time.process_time()
    assert states_of(files, tmp_path / "results") == {"report.signed.pdf": "invalid"}
    assert time.process_time() - began < 5


# Certificates that do not hold.


DAY = datetime.timedelta(days=1)


def ended(authority):
    one = keys.made("Ended", begins=-keys.YEAR, ends=-DAY)
    return one, one


def ended_and_issued(authority):
    return keys.made("Ended", issuer=authority, begins=-keys.YEAR, ends=-DAY), authority


def ended_and_brought(authority):
    one = keys.made("Ended", issuer=authority, begins=-keys.YEAR, ends=-DAY)
    return one, one


def not_begun(authority):
    one = keys.made("Not begun", begins=DAY)
    return one, one


def issued_by_ended(authority):
    old = keys.made("Old authority", begins=-keys.YEAR, ends=-DAY)
    return keys.made("A. Auditor", issuer=old), old


def for_stamps(authority):
    one = keys.made("A clock", issuer=authority, stamps=True)
    return one, one


def for_stamps_and_issued(authority):
    return keys.made("A clock", issuer=authority, stamps=True), authority


def issued_by_an_officer(authority):
    officer = keys.made("Officer", issuer=authority)
    return keys.made("Anybody", issuer=officer), officer


@pytest.mark.parametrize(
    ("case", "state"),
    [
        (ended, "expired"),
        (ended_and_issued, "expired"),
        (ended_and_brought, "expired"),
        (not_begun, "expired"),
        (issued_by_ended, "expired"),
        (for_stamps, "not_for_signing"),
        (for_stamps_and_issued, "not_for_signing"),
        (issued_by_an_officer, "not_trusted"),
    ],
)
def test_a_certificate_that_does_not_hold_is_not_trusted(written, authority, tmp_path, case, state):
    key, trusted = case(authority)
    files = written | {MANIFEST_SIGNATURE: signing._list_signed(written[MANIFEST], signer_of(key), None)}
    assert states_of(files, tmp_path / "results", trusted) == {MANIFEST_SIGNATURE: state}


@pytest.mark.parametrize(
    ("state", "caution"),
    [
        ("not_trusted", "verify-bring-certificate"),
        ("expired", "verify-expired"),
        ("not_for_signing", "verify-not-for-signing"),
    ],
)
def test_why_a_key_is_not_trusted_is_said_once(state, caution):
    now = datetime.datetime.now(datetime.UTC)
    found = Verification("unchanged", now, (), signatures=(Signature(MANIFEST_SIGNATURE, state, "A. Auditor", now),))
    said = say_verification(found)
    assert [each.key for each in said.caution] == [caution]
    assert "verify-not-trusted" in {each.key for each in said.lead} and not found.is_signed_by_trusted


# Independent readers.


def test_poppler_reads_the_signatures(folder, tmp_path):
    command = program("pdfsig")
    for name in ("report.signed.pdf", "annexes.signed.pdf"):
        said = subprocess.run([command, "-nocert", folder / name], capture_output=True, text=True, check=True).stdout
        assert "Signature is Valid" in said and "Total document signed" in said
        assert "CN=A. Auditor" in said and "Office of Public Audit" in said
    alter_byte("report.signed.pdf", 0.3)(folder)
    said = subprocess.run([command, "-nocert", folder / "report.signed.pdf"], capture_output=True, text=True).stdout
    assert "Signature is Valid" not in said


def test_openssl_checks_the_signature_of_the_list(folder, trust):
    command = [program("openssl"), "cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any"]
    command += ["-in", folder / MANIFEST_SIGNATURE, "-content", folder / MANIFEST, "-CAfile", trust[0]]
    assert subprocess.run([*command, "-out", folder / "seen"], capture_output=True).returncode == 0
    assert (folder / "seen").read_bytes() == (folder / MANIFEST).read_bytes()
    alter_byte(MANIFEST)(folder)
    assert subprocess.run([*command, "-out", folder / "seen"], capture_output=True).returncode != 0


@pytest.mark.parametrize("name", ["report.signed.pdf", "annexes.signed.pdf"])
def test_signed_documents_stay_accessible_and_to_be_kept(folder, written, name):
    checked = outloud.check(str(folder / name))
    assert checked.verdict == outloud.check(str(folder / SIGNED[name])).verdict == "pass"
    assert (folder / name).read_bytes().startswith(written[SIGNED[name]])
    with pikepdf.open(folder / name) as opened, opened.open_metadata() as metadata:
        assert metadata.pdfa_status == "3A" and metadata["pdfuaid:part"] == "1"
        # PDF/A: what the old and the new place for facts about a document say is the same.
        for old, new in {"/ModDate": "xmp:ModifyDate", "/CreationDate": "xmp:CreateDate"}.items():
            day = datetime.datetime.fromisoformat(metadata[new])
            assert str(opened.docinfo[old]) == f"D:{day.astimezone(datetime.UTC):%Y%m%d%H%M%S}Z"
        assert metadata["pdf:Keywords"] == opened.docinfo["/Keywords"]
        assert metadata["pdf:Producer"] == opened.docinfo["/Producer"]
        [field] = opened.Root.AcroForm.Fields
        assert [float(side) for side in field.Rect] == [0, 0, 0, 0] and int(field.F) & 4 and not int(field.F) & 0b100011
        assert opened.pages[0].Tabs == "/S" and "/NeedAppearances" not in opened.Root.AcroForm
        # PDF/UA: the field is a form in the structure, both ways.
        tree = opened.Root.StructTreeRoot
        parents = dict(zip(list(tree.ParentTree.Nums)[::2], list(tree.ParentTree.Nums)[1::2], strict=True))
        form = parents[int(field.StructParent)]
        assert form.S == "/Form" and form.K.Obj.T == field.T and int(tree.ParentTreeNextKey) == len(parents)
        assert len(opened.attachments) == len(pikepdf.open(folder / SIGNED[name]).attachments)


# Time stamps, and certificates that end.


def test_a_time_stamp_says_when(written, office, stamper, trust, tmp_path):
    program("openssl")
    folder = placed(tmp_path / "results", written)
    with keys.time_stamp_server(stamper, tmp_path) as address:
        signed_with(office, folder, time_stamp_server=address)
    found = verify(folder, trust=trust)
    assert {(each.state, each.is_time_stamped) for each in found.signatures} == {("trusted", True)}
    own = tmp_path / "office.pem"
    own.write_bytes(office.pem)
    found = verify(folder, trust=[own])
    assert {(each.state, each.is_time_stamped) for each in found.signatures} == {("trusted", False)}, "whose clock?"


@pytest.mark.thorough
def test_a_time_stamp_outlives_the_certificate(written, authority, stamper, trust, tmp_path):
    program("openssl")
    brief = keys.made("A. Auditor", issuer=authority, ends=datetime.timedelta(seconds=20))
    folder, without = placed(tmp_path / "results", written), placed(tmp_path / "without", written)
    signed_with(brief, without)
    with keys.time_stamp_server(stamper, tmp_path) as address:
        signed_with(brief, folder, time_stamp_server=address)
    threading_wait(brief.certificate.not_valid_after_utc)
    assert {each.state for each in verify(without, trust=trust).signatures} == {"expired"}
    assert {each.state for each in verify(folder, trust=trust).signatures} == {"trusted"}


def threading_wait(until):
    threading.Event().wait(max(0.0, (until - datetime.datetime.now(datetime.UTC)).total_seconds()) + 2)


# What cannot be signed.


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (lambda office: b"", "no key"),
        (lambda office: office.pem, "no key"),
        (lambda office: office.p12("another word"), "passphrase"),
    ],
    ids=["nothing", "a certificate", "another passphrase"],
)
def test_a_key_that_is_none_is_refused(written, office, tmp_path, key, why):
    folder, path = placed(tmp_path / "results", written), tmp_path / "key.p12"
    path.write_bytes(key(office))
    with pytest.raises(InputError, match=why):
        sign_report(folder, path, lambda: keys.PASSPHRASE)
    with pytest.raises(InputError, match="cannot be read"):
        sign_report(folder, tmp_path / "none.p12", lambda: "")


def test_a_key_that_readers_do_not_check_signs_nothing(written, tmp_path):
    path, own = tmp_path / "key.p12", ed25519.Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A. Auditor")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(own.public_key())
    builder = builder.serial_number(1).not_valid_before(now - DAY).not_valid_after(now + DAY)
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"key", own, builder.sign(own, None), None, NoEncryption()))
    with pytest.raises(InputError, match="few readers"):
        sign_report(placed(tmp_path / "results", written), path, lambda: "")


def test_a_certificate_for_stamps_signs_nothing(written, stamper, tmp_path):
    with pytest.raises(InputError, match="not for signing"):
        signed_with(stamper, placed(tmp_path / "results", written))


@pytest.mark.parametrize("answer", [b"", b"garbage", b"\x30\x03\x02\x01\x00", b"\x30\x05\x30\x03\x02\x01\x00"])
def test_an_answer_that_is_no_time_stamp_is_refused(answer, office):
    with answering(answer) as address, pytest.raises(ReportError, match="gave no time stamp"):
        signing._list_signed(b"x", signer_of(office), signing._time_stamper(address))


@contextmanager
def answering(answer):
    class Answers(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


def test_a_certificate_that_has_ended_signs_nothing(written, authority, tmp_path):
    ended = keys.made("A. Auditor", issuer=authority, ends=-datetime.timedelta(days=1))
    with pytest.raises(InputError, match="valid from"):
        signed_with(ended, placed(tmp_path / "results", written))


def test_a_changed_report_and_a_signed_one_are_not_signed(written, folder, office, tmp_path):
    changed = placed(tmp_path / "changed", written | {"report.pdf": b"x"})
    with pytest.raises(ReportError, match="not as it was written"):
        signed_with(office, changed)
    with pytest.raises(InputError, match="signed already"):
        signed_with(office, folder)
    other = keys.made("Another")
    signed_with(other, folder, is_forced=True)
    assert {each.by for each in verify(folder).signatures} == {"Another"}


@pytest.mark.parametrize("address", ["127.0.0.1:1", "http://127.0.0.1:1/"])
def test_a_server_that_is_none_is_refused(written, office, tmp_path, address):
    with pytest.raises((InputError, ReportError), match="time stamp server"):
        signed_with(office, placed(tmp_path / "results", written), time_stamp_server=address)


def test_what_is_trusted_must_be_a_certificate(folder, tmp_path):
    path = tmp_path / "office.pem"
    for content in (b"", b"x", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="no certificate"):
            verify(folder, trust=[path])


def test_without_the_extra_it_is_said_what_to_install(folder, written, monkeypatch, tmp_path):
    for module in (signatures, signing):
        monkeypatch.setattr(module, "can_sign", lambda: False)
    found = verify(folder)
    assert found.verdict == "unchanged" and states(found) == dict.fromkeys(SIGNED, "not_checked")
    assert any(INSTALL in sentence for sentence in found.say())
    with pytest.raises(InputError, match="pyHanko") as error:
        sign_report(folder, tmp_path / "key.p12", lambda: "")
    assert INSTALL in str(error.value)


@pytest.mark.thorough
def test_a_report_that_is_written_anew_is_signed_no_more(folder, written):
    write_report(run(AuditPlan.load(SAMPLES / "berkeley_1973.toml"), base=SAMPLES), folder)
    assert {path.name for path in folder.iterdir()} == {*written}
