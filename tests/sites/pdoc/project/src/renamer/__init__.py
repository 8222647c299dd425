"""
.. include:: ../../README.md
"""
