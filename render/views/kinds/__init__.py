"""Kinds of walkthrough, a module each: what the kind is (``KIND``, see ``kind.py``) and pure functions that draw it.

Figures go from typed values to markup; their looks stand in ``templates/assets/figures.css`` and ``kinds.css``.
"""
