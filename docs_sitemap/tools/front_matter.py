"""The front matter of documents: YAML as in most generators, or TOML as in Hugo and
Zola.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_BLOCK = re.compile(
    r"\A\ufeff?(?:"
    r"---[ \t]*\r?\n(?P<yaml>.*?)^(?:---|\.\.\.)|"
    r"\+\+\+[ \t]*\r?\n(?P<toml>.*?)^\+\+\+"
    r")[ \t]*\r?(?:\n|\Z)",
    re.S | re.M,
)


class SplitDocument(NamedTuple):
    """A document in two parts.

    Attributes:
        front_matter: The text between the lines around the front matter; empty if there
            is none.
        body: The text below the front matter.
        is_toml: Whether the front matter is TOML.
    """

    front_matter: str
    body: str
    is_toml: bool = False

    def read_values(self) -> Mapping[str, Any]:
        """Return the values of the front matter. All values in YAML are text.

        Raises:
            ValueError: The front matter is invalid.
        """
        text = self.front_matter.replace("\r\n", "\n")
        if not text:
            return {}
        import yaml  # Most builds do not need it.

        try:
            if self.is_toml:
                import tomllib

                return tomllib.loads(text)
            # Other loaders raise any exception for invalid tags, and need any memory
            # for merge keys.
            values = yaml.BaseLoader(text).get_single_data()
        except (yaml.YAMLError, RecursionError) as error:
            raise ValueError("the front matter cannot be parsed") from error
        if values is None:  # There are only comments.
            return {}
        if not isinstance(values, dict):
            raise ValueError("the front matter is not a mapping")
        return values


def split_document(text: str) -> SplitDocument:
    """Split a document into its front matter and its body."""
    block = _BLOCK.match(text)
    if block is None:
        return SplitDocument("", text)
    body = text[block.end() :]
    if block["toml"] is not None:
        return SplitDocument(block["toml"], body, is_toml=True)
    return SplitDocument(block["yaml"], body)


def write_values(values: Mapping[str, Any]) -> str:
    """Return values of front matter as text, which is the same for the same values.
    Unlike comparing values, this takes linear time if YAML repeats them with aliases.

    Raises:
        ValueError: They cannot be written.
    """
    import yaml

    try:
        return str(yaml.safe_dump(dict(values)))
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("the front matter cannot be written") from error
