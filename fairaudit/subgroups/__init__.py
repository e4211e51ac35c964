"""Worst groups: subgroups searched on one half of the rows and judged on the other.

Each column is cut into levels (`levels`), the rows are counted by all of them at once (`cells`), every conjunction is
counted and bounded from that one table (`search`), shuffled outcomes say what chance would show (`chance`), and what
is shown is judged on rows that the search never saw (`judging`).
"""
