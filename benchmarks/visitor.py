"""A browser's side of the app's protocol, without a browser: pages, presses of buttons, uploads and downloads."""

from __future__ import annotations

import http.client
import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

PATIENCE_S = 120
# Of the form that Streamlit masks its own against requests from other pages.
_TOKEN = "2|00000000|" + "ab" * 16 + "|1"
_EDGE = "part-of-a-form"


class Server(Protocol):
    """Where the app is served, on this machine."""

    port: int


class Visitor:
    """One browser tab.

    Parameters
    ----------
    server : Server
        Where to go.
    session : str
        That of a tab that lost its connection, to go on with.
    cookie : str, optional
        What the browser has kept for the server; by default a secret of its own, empty for none.
    on_message : callable
        Called with the bytes of each message that comes.

    Attributes
    ----------
    elements : dict of str to str
        The labels of widgets by their keys, of all pages so far.
    errors : list of str
        What the present page says went wrong.
    texts : list of str
        What else it says.
    downloads : dict of str to str
        The addresses of the files that it offers, by the keys of their buttons.
    polled : dict of str to float
        Its parts that draw themselves anew, and after how many seconds.
    """

    def __init__(
        self,
        server: Server,
        *,
        session: str = "",
        cookie: str | None = None,
        on_message: Callable[[bytes], object] = lambda _: None,
    ) -> None:
        self.server = server
        self.cookie = f"fairaudit_browser={secrets.token_urlsafe(32)}" if cookie is None else cookie
        self.on_message = on_message
        self.elements: dict[str, str] = {}
        self.errors: list[str] = []
        self.texts: list[str] = []
        self.downloads: dict[str, str] = {}
        self.polled: dict[str, float] = {}
        self.session = ""
        self._ending = ExitStack()
        self.connection: ClientConnection = self._ending.enter_context(
            connect(
                f"ws://localhost:{server.port}/_stcore/stream",
                subprotocols=["streamlit", "none", *([session] if session else [])],
                additional_headers={"Cookie": self.cookie} if self.cookie else None,
                open_timeout=PATIENCE_S,
                close_timeout=1,
                # A browser does not ask either whether a busy server is still there.
                ping_interval=None,
                max_size=None,
            )
        )
        self.page = ""

    def draw(self, page: str = "", *, press: str | None = None) -> float:
        """Let a page be drawn, after a button was pressed where one is named by a part of its key; return seconds."""
        message = BackMsg()
        message.rerun_script.page_name = page or self.page
        self.page = page or self.page
        if press is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self._key(press)
            state.trigger_value = True
        return self._ask(message)

    def poll(self, part: str) -> float:
        """Let a part that draws itself anew do so; return seconds."""
        message = BackMsg()
        message.rerun_script.page_name = self.page
        message.rerun_script.fragment_id = part
        message.rerun_script.is_auto_rerun = True
        return self._ask(message)

    def bring(self, uploader: str, name: str, content: bytes) -> float:
        """Put a file into the field that is named by a part of its key; return seconds until the page is there."""
        began = time.monotonic()
        file_id = f"{uploader}-{time.monotonic_ns()}"
        status, answer = self.upload(content, name=name, file_id=file_id)
        if status != 204:
            raise ConnectionError(f"The upload was answered with {status}: {answer.decode(errors='replace')}")
        message = BackMsg()
        message.rerun_script.page_name = self.page
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self._key(uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(content), file_id
        info.file_urls.file_id = file_id
        info.file_urls.upload_url = info.file_urls.delete_url = f"/_stcore/upload_file/{self.session}/{file_id}"
        self._ask(message)
        return time.monotonic() - began

    def upload(self, content: bytes, *, name: str = "t.csv", file_id: str = "file") -> tuple[int, bytes]:
        """Send a file as the browser does; return the status and text of the answer."""
        begin = (
            f'--{_EDGE}\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n'
            "Content-Type: text/csv\r\n\r\n"
        )
        end = f"\r\n--{_EDGE}--\r\n"
        return self._fetch(
            "PUT",
            f"/_stcore/upload_file/{self.session}/{file_id}",
            begin.encode() + content + end.encode(),
            {"Content-Type": f"multipart/form-data; boundary={_EDGE}"},
        )

    def take_back(self, *, file_id: str = "file") -> int:
        """Remove a file that was sent, as the browser does; return the status of the answer."""
        return self._fetch("DELETE", f"/_stcore/upload_file/{self.session}/{file_id}", None, {})[0]

    def download(self, button: str) -> bytes:
        """Fetch the file that a button offers, which is named by a part of its key."""
        address = next(address for key, address in self.downloads.items() if button in key)
        status, content = self.fetch(address)
        if status != 200:
            raise ConnectionError(f"The download was answered with {status}.")
        return content

    def fetch(self, address: str) -> tuple[int, bytes]:
        """Return the status and content of what is at an address."""
        return self._fetch("GET", address, None, {})

    def leave(self) -> None:
        """Close the tab."""
        self._ending.close()

    def _fetch(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=PATIENCE_S)
        kept = {"Cookie": f"_streamlit_xsrf={_TOKEN}; {self.cookie}".rstrip("; "), "X-Xsrftoken": _TOKEN}
        try:
            connection.request(method, path, body, {**kept, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _key(self, part: str) -> str:
        return next(key for key in reversed(self.elements) if part in key)

    def _ask(self, message: BackMsg) -> float:
        began = time.monotonic()
        self.connection.send(message.SerializeToString())
        self._listen()
        return time.monotonic() - began

    def _listen(self) -> None:
        begun = False
        while True:
            # A page that waits for its turn at a report says so again and again.
            content = self.connection.recv(timeout=PATIENCE_S)
            self.on_message(content)
            message = ForwardMsg()
            message.ParseFromString(content)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                begun, self.session = True, message.new_session.initialize.session_id or self.session
                self.errors, self.texts, self.downloads, self.polled = [], [], {}, {}
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                self._note(message.delta.new_element)
            elif kind == "auto_rerun":
                self.polled[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            # Where the page goes on to another one, that comes next.
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN and begun:
                return

    def _note(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        drawn = getattr(element, kind)
        if key := getattr(drawn, "id", ""):
            self.elements.pop(key, None)
            self.elements[key] = getattr(drawn, "label", "")
        if kind == "exception" or (kind == "alert" and drawn.format == drawn.ERROR):
            self.errors.append(drawn.message if kind == "exception" else drawn.body)
        elif text := getattr(drawn, "body", "") or getattr(drawn, "text", ""):
            self.texts.append(text)
        if kind == "download_button" and drawn.url:
            self.downloads[drawn.id] = drawn.url
