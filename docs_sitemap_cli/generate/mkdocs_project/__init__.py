"""What the configuration of Zensical or MkDocs says about a built site, and what its
pages are made of.
"""
