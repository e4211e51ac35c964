"""The remedies that fit what the decision may and must be."""

from __future__ import annotations

import streamlit as st
