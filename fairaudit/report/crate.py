"""The run of an audit as an RO-Crate: data, saved audit, software and results, for archives and for machines.

It follows Process Run Crate 0.5, and says the same in terms of PROV-O. A few entities are written as JSON-LD by own
code: the package ``rocrate`` brings four others, reads the clock, and copies files about.

References
----------
RO-Crate 1.1, https://w3id.org/ro/crate/1.1; Leo et al. (2024), "Recording provenance of workflow runs with RO-Crate",
PLoS ONE 19(9), e0309210; PROV-O, https://www.w3.org/TR/prov-o/.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping
from typing import Any, Final

from fairaudit.findings import Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.data import SALTED
from fairaudit.report.manifest import MANIFEST, Manifest

CRATE: Final = "ro-crate-metadata.json"
VERSION: Final = "https://w3id.org/ro/crate/1.1"
PROFILE: Final = "https://w3id.org/ro/wfrun/process/0.5"
CONTEXT: Final = [
    f"{VERSION}/context",
    {"prov": "http://www.w3.org/ns/prov#", "sha256": "https://w3id.org/ro/terms/workflow-run#sha256"},
]
DATA: Final = "#data"
RUN: Final = "#run"
OFFICE: Final = "#office"
TYPES: Final = {".toml": "application/toml"}
"""Media types that Python does not know."""

Entity = dict[str, Any]


def crate_of(contents: Mapping[str, bytes], manifest: Manifest, *, title: str, by: str | None = None) -> bytes:
    """Return the description of a run, as JSON-LD; all that it says of the data stands in the manifest, too.

    Parameters
    ----------
    contents : mapping
        The files of the report, by name.
    manifest : Manifest
        The list of them.
    title : str
        That of the report.
    by : str, optional
        Who made the audit.
    """
    compared, when = manifest.compared, manifest.made.isoformat()
    results = [name for name in sorted(contents) if name != "plan.toml"]
    agent = {} if by is None else {"agent": _to(OFFICE), "prov:wasAssociatedWith": _to(OFFICE)}
    author = {} if by is None else {"author": _to(OFFICE), "publisher": _to(OFFICE)}
    graph: list[Entity] = [
        {"@id": CRATE, "@type": "CreativeWork", "conformsTo": _to(VERSION), "about": _to("./")},
        {
            "@id": "./",
            "@type": "Dataset",
            "name": title,
            "description": say(Message("crate-report", {"data": Phrase(compared.data)})),
            "datePublished": when,
            "license": say(Message("crate-license")),
            "conformsTo": _to(PROFILE),
            "hasPart": [_to(name) for name in (*sorted(contents), MANIFEST)],
            "mentions": _to(RUN),
            **author,
        },
        {"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": PROFILE.rpartition("/")[2]},
        {
            "@id": RUN,
            "@type": ["CreateAction", "prov:Activity"],
            "name": say(Message("crate-run", {"data": Phrase(compared.data)})),
            "description": say(Message("crate-steps")),
            "endTime": when,
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "instrument": _to(_program("fairaudit", compared.versions["fairaudit"])),
            "object": [_to(DATA), _to("plan.toml")],
            "result": [_to(name) for name in results],
            "prov:used": [_to(DATA), _to("plan.toml")],
            **agent,
        },
        {
            "@id": DATA,
            "@type": ["CreativeWork", "prov:Entity"],
            "name": compared.data,
            **_known_by(compared.fingerprint),
        },
        *_programs(compared.versions),
        *(_file(name, contents[name], compared.files[name], made=name in results) for name in sorted(contents)),
        {"@id": MANIFEST, "@type": "File", "name": _file_name(MANIFEST), "encodingFormat": "application/json"},
    ]
    if by is not None:
        graph.append({"@id": OFFICE, "@type": ["Organization", "prov:Agent"], "name": by})
    document = {"@context": CONTEXT, "@graph": graph}
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _known_by(fingerprint: str | None) -> Entity:
    """Return what the data are known by: the digest of their content, salted, or none beside hidden counts."""
    if fingerprint is None:
        return {"description": say(Message("crate-data", {"known": Word("none")}))}
    is_salted = fingerprint.startswith(SALTED)
    said = say(Message("crate-data", {"known": Word("salted" if is_salted else "content")}))
    return {"description": said, "identifier": fingerprint if is_salted else f"sha256:{fingerprint}"}


def _file(name: str, content: bytes, digest: str, *, made: bool) -> Entity:
    kind = TYPES.get(f".{name.rpartition('.')[2]}") or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return {
        "@id": name,
        "@type": ["File", "prov:Entity"],
        "name": _file_name(name),
        "encodingFormat": kind,
        "contentSize": str(len(content)),
        "sha256": digest,
        **({"prov:wasGeneratedBy": _to(RUN)} if made else {}),
    }


def _programs(versions: Mapping[str, str]) -> list[Entity]:
    """Return the software that took part: that which was run needs the others."""
    found = []
    for name, version in sorted(versions.items()):
        place = _program(name, version)
        needs = [_to(_program(*other)) for other in sorted(versions.items()) if other[0] != name]
        more: Entity = {"softwareRequirements": needs} if name == "fairaudit" else {"url": place}
        found.append({"@id": place, "@type": "SoftwareApplication", "name": name, "version": version, **more})
    return found


def _program(name: str, version: str) -> str:
    """Return what names a version of a program: the place where others find it, where there is one."""
    if name == "fairaudit":
        return f"#fairaudit-{version}"
    if name == "python":
        return f"https://docs.python.org/release/{version}/"
    return f"https://pypi.org/project/{name}/{version}/"


def _to(entity: str) -> Entity:
    return {"@id": entity}


def _file_name(name: str) -> str:
    """Say what a file holds."""
    word = "form" if name.startswith("form_") else name.replace(".", "_")
    return say(Message("crate-file", {"file": Word(word), "name": Phrase(name)}))
