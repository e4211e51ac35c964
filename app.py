"""The app: ``streamlit run app.py``. The server takes itself from this file, and draws the front page with it."""

from __future__ import annotations

import streamlit as st

if __name__ == "__main__":
    from ui.front_page import show_front_page

    show_front_page()
else:
    from ui.runtime.freed_memory import write_over_what_is_freed

    write_over_what_is_freed()

    from ui.runtime.doors import show_spent
    from ui.runtime.server import DOORS, running

    app = st.App(__file__, lifespan=running, middleware=DOORS, on_script_error=show_spent)
