"""The app as it is served: ``streamlit run serve.py``, as ``make run`` does."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from ui.server.doors import Doors
from ui.server.running import running

app = st.App(Path(__file__).with_name("app.py"), lifespan=running, middleware=[Middleware(Doors)])
