"""How the site is built from this folder: ``make docs``. Nothing in it is loaded from another machine."""

from __future__ import annotations

from fairaudit.version import __version__

project = "fairaudit"
release = version = __version__
# No name and no year: the licence says whose it is.
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
autodoc_typehints = "none"
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"fairaudit {version}"
html_favicon = "../ui/icon.svg"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f4e79", "color-brand-content": "#1f4e79"},
    "dark_css_variables": {"color-brand-primary": "#9cc3e6", "color-brand-content": "#9cc3e6"},
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
