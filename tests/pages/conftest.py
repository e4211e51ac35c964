"""Pages without a browser: Streamlit's AppTest runs them and shows what they drew."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import joblib
import pytest
from altair.utils import schemapi
from places import ROOT, SAMPLES
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from fairaudit.data import read_table, subprocess_reader
from fairaudit.events import STOP, Finished
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.outcomes import OutcomePlan
from ui.data import loading
from ui.remedies import fitting
from ui.state import AuditState

PAGES = tuple(sorted(path.name for path in (ROOT / "pages").glob("*.py")))
STATE = "fairaudit_state"
KINDS = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error", "success")


def plain(markdown: str) -> str:
    """Return Markdown made by ``ui.text.literal`` as people read it."""
    return markdown.replace(":small[]", "").replace("\\", "")


@pytest.fixture(autouse=True)
def files_are_read_here(monkeypatch):
    """Start no process for each file that a test brings: tests/data/test_apart.py and the browser look at those."""
    monkeypatch.setattr(
        loading, "read_apart", lambda content, *, name, options, **_: read_table(content, name=name, options=options)
    )
    monkeypatch.setattr(subprocess_reader, "warm_up", lambda: None)


class App:
    """The app in one session: go to a page, and everything that AppTest offers on it."""

    def __init__(self) -> None:
        self.test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)

    def __getattr__(self, name: str):
        return getattr(self.test, name)

    @property
    def state(self) -> AuditState:
        """The audit of the session, made here where no page was drawn yet."""
        if STATE not in self.test.session_state:
            self.test.session_state[STATE] = AuditState()
        return self.test.session_state[STATE]

    def hold(self, name: str, content: bytes) -> App:
        """Have a file that was uploaded before, without drawing a page."""
        table = read_table(content, name=Path(name).stem)
        self.state.put_table(table, source=name, content=content)
        return self

    def hold_sample(self, key: str) -> App:
        """Have a sample and its audit that were opened before, without drawing a page."""
        plan = AuditPlan.load(SAMPLES / f"{key}.toml")
        path = SAMPLES / plan.data.source
        table = read_table(path, name=plan.data.name, options=plan.data.reading)
        self.state.put_table(table, source=plan.data.source, content=path.read_bytes())
        self.state.open_plan(plan)
        return self

    def go(self, page: str) -> App:
        """Open the page whose file name holds `page`, or the front page for an empty name."""
        file = next(f"pages/{name}" for name in PAGES if page in name) if page else "app.py"
        self.test.switch_page(file)
        return self.run()

    def run(self) -> App:
        """Draw the page again and check that it did not fail."""
        self.test.run()
        self.assert_sound()
        return self

    def set(self, kind: str, key: str, value: object) -> App:
        """Give a widget a value, as a person would, and draw the page again."""
        getattr(self.test, kind)(key=key).set_value(value)
        return self.run()

    def click(self, key: str) -> App:
        """Press a button."""
        self.test.button(key=key).click()
        return self.run()

    def sample(self, key: str) -> App:
        """Open a sample from the front page."""
        return self.go("").click(f"home_sample_{key}")

    def upload(self, name: str, content: bytes) -> App:
        """Bring a file on the page Data."""
        return self.go("Data").set("file_uploader", "data_upload", (name, content, "application/octet-stream"))

    def open_audit(self, text: str) -> App:
        """Open a saved audit on the front page."""
        return self.go("").set("file_uploader", "home_plan", ("audit.toml", text.encode(), "application/toml"))

    def data_key(self, field: str) -> str:
        """The key of a widget on the page Data that belongs to the present table."""
        name, _, rest = field.partition("_")
        return f"data_{name}_{self.state.data_key}" + (f"_{rest}" if rest else "")

    def decide(self, column: str, *good: object) -> App:
        """Name the decision and the good outcome on the page Data."""
        self.go("Data").set("selectbox", self.data_key("decision_column"), column)
        return self.set("multiselect", self.data_key(f"decision_values_{column}"), list(good))

    def protect(self, text: str) -> App:
        """Write the protected group on the page Groups."""
        self.go("Groups").set("segmented_control", "groups_how", "Write a condition")
        return self.set("text_input", "groups_protected_text", text)

    def assert_sound(self) -> None:
        """Fail if the page raised something that it should have caught."""
        assert not self.test.exception, [(e.message, list(e.stack_trace)[-4:]) for e in self.test.exception]

    def assert_refuses_nothing(self) -> None:
        """Fail if the page shows an error."""
        assert not self.test.error, [e.value for e in self.test.error]

    @property
    def errors(self) -> str:
        """The errors that are shown."""
        return plain("\n".join(e.value for e in self.test.error))

    @property
    def warnings(self) -> str:
        """The warnings that are shown."""
        return plain("\n".join(e.value for e in self.test.warning))

    @property
    def text(self) -> str:
        """All text that is drawn, Markdown escapes removed."""
        drawn = [element.value for kind in KINDS for element in getattr(self.test, kind)]
        drawn += [f"{metric.label} {metric.value}" for metric in self.test.metric]
        drawn += [fold.label for fold in self.test.main.get("expander")]
        return plain("\n".join(map(str, drawn)))

    @property
    def sizes(self) -> list[int]:
        """How many people the page Groups shows in both groups and, where there are such, in neither."""
        shown = self.test.get("vega_lite_chart")[0].proto.alt
        return [int(n.replace(",", "")) for n in re.findall(r"(?:^|, )([0-9,]+) ", shown)]

    @property
    def verdict(self) -> str:
        """The sentence in large type: on the page Check the headline with its lead, elsewhere the heading."""
        main = self.test.main
        if main.header:
            return plain(main.header[0].value)
        return plain("\n".join([main.title[0].value, *(each.value for each in main.markdown[:2])]))


@pytest.fixture(scope="session", autouse=True)
def components_found_once() -> Iterator[None]:
    """Let AppTest look through all installed packages for components once, and not in every session anew."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture(scope="session", autouse=True)
def equal_charts_checked_once() -> Iterator[None]:
    """Compare each chart with Vega-Lite's schema once: most are drawn again as they were."""
    check = schemapi.SchemaBase.validate.__func__
    sound: set[tuple[type, str]] = set()

    def validate(cls: type, instance: object, schema: object = None) -> None:
        key = (cls, json.dumps(instance, sort_keys=True, default=repr))
        if schema is not None or key not in sound:
            check(cls, instance, schema)
            sound.add(key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schemapi.SchemaBase, "validate", classmethod(validate))
        yield


@pytest.fixture(scope="session", autouse=True)
def equal_fits_made_once() -> Iterator[None]:
    """Fit a remedy to equal rows once, whichever test asks, and pass its events on again."""
    fits = {}

    def fitted(fit, study, plan, *, known=None):
        place = joblib.hash((study, plan.model_dump_json(), sorted(known or ())))
        if place in fits:
            yield from fits[place]
            return
        events, command, stopped, seen = fit(study, plan, known=known), None, False, []
        while not seen or not isinstance(seen[-1], Finished):
            seen.append(events.send(command))
            command = yield seen[-1]
            stopped = stopped or command is STOP
        if not stopped:
            fits[place] = seen

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "iter_remedy", partial(fitted, fitting.iter_remedy))
        yield


@pytest.fixture
def app() -> App:
    """The app, freshly opened."""
    return App()


@pytest.fixture
def another_app() -> App:
    """The app in another session of the same server."""
    return App()


@pytest.fixture
def csv() -> Callable[..., bytes]:
    """Return a function that writes columns as CSV."""

    def write(**columns: list) -> bytes:
        rows = zip(*columns.values(), strict=True)
        lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
        return "\n".join(lines).encode()

    return write


@pytest.fixture
def decisions(csv) -> bytes:
    """A table of 200 decisions: half of the women and three quarters of the men are served; a few ages are unknown."""
    n = 200
    return csv(
        sex=["F", "M"] * (n // 2),
        race=["White", "White", "White", "Black", "Black"] * (n // 5),
        age=["" if i % 15 == 0 else 20 + i % 40 for i in range(n)],
        since=[f"20{10 + i % 10}-0{1 + i % 9}-15" for i in range(n)],
        member=["true", "false", "true"] * (n // 3) + ["true", ""],
        score=[f"{(i * 7 % 100) / 100:.2f}" for i in range(n)],
        said=["y" if i * 7 % 100 >= 50 else "n" for i in range(n)],
        ok=["y" if (i // 2) % 4 < 2 + i % 2 else "n" for i in range(n)],
    )


@pytest.fixture
def some_unknown(csv) -> bytes:
    """240 people, 12 of whom decline to state their race; 10 decisions are pending, 6 are missing."""
    n = 240
    race = ["Black", "White", "White"] * (n // 3)
    race[:12] = ["Decline to state"] * 12
    hired = ["yes", "no", "no", "yes"] * (n // 4)
    hired[100:110] = ["pending"] * 10
    hired[200:206] = [""] * 6
    pay = [1_000 + i * 37 % 100 for i in range(n)]
    return csv(race=race, hired=hired, sex=["F", "M"] * (n // 2), years=[*range(n)], pay=pay)


@pytest.fixture
def ready(app, decisions) -> App:
    """The app with these decisions, where ``y`` is good and women are protected."""
    app.hold("decisions.csv", decisions)
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.state.change_check(protected="sex = 'F'")
    return app
