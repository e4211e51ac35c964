"""A line between a browser and a server on this machine, which can be cut and mended."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """Hand on to a port whatever comes, while the line is whole.

    Parameters
    ----------
    port : int
        Of the server.

    Attributes
    ----------
    port : int
        Where the browser goes instead.
    """

    def __init__(self, port: int) -> None:
        self._server = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        self._whole = True
        self._ends: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Where the app is at the other end."""
        return f"http://localhost:{self.port}"

    def cut(self, *, in_silence: bool = False) -> None:
        """End all connections and take no more; in silence, so that the server does not notice, as one on a network."""
        with self._lock:
            self._whole = False
            for near, far in self._ends:
                _shut(near)
                if not in_silence:
                    _shut(far)

    def mend(self) -> None:
        """Take connections again."""
        with self._lock:
            self._whole = True

    def close(self) -> None:
        """End everything."""
        self.cut()
        _shut(self._listener)
        self._listener.close()
        for pair in self._ends:
            for end in pair:
                end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                with self._lock:
                    if not self._whole:
                        near.close()
                        continue
                    far = socket.create_connection(("127.0.0.1", self._server))
                    self._ends.append((near, far))
                threading.Thread(target=self._hand_on, args=(near, far, far), daemon=True).start()
                threading.Thread(target=self._hand_on, args=(far, near, far), daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(1 << 16):
                target.sendall(part)
        with self._lock:
            # Of what was cut in silence, the server's end stays open.
            if target is not far or self._whole:
                _shut(target)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    """Hold a line to a server while the ``with`` lasts."""
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
