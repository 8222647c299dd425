"""The front matter of documents: YAML as in most generators, TOML as in Hugo and Zola,
or comments as in Nikola.
"""

import json
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

# The fields at the start of a document of Nikola, in Markdown in a comment of HTML. A
# label or a directive of reStructuredText is none.
# https://getnikola.com/handbook.html#metadata-fields
_FIELD = r"\.\. ([A-Za-z][\w-]*+):(?!\S)([^\n]*+)\n"
_FIELDS = re.compile(rf"\A\ufeff?\s*+(<!--\s*+)?(?P<fields>(?:{_FIELD})+)(?(1)\s*-->)")


class SplitDocument(NamedTuple):
    """A document in two parts.

    Attributes:
        front_matter: The text between the lines around the front matter, or the fields
            of Nikola as YAML; empty if there is none.
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
        return split_fields(text)
    body = text[block.end() :]
    if block["toml"] is not None:
        return SplitDocument(block["toml"], body, is_toml=True)
    return SplitDocument(block["yaml"], body)


def split_fields(text: str) -> SplitDocument:
    """Split a document of Nikola into its fields and its body."""
    block = _FIELDS.match(text)
    if block is None:
        return SplitDocument("", text)
    lines = []
    for name, value in re.findall(_FIELD, block["fields"]):
        lines.append(f"{name}: {json.dumps(value.strip(), ensure_ascii=False)}\n")
    return SplitDocument("".join(lines), text[block.end() :])


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
