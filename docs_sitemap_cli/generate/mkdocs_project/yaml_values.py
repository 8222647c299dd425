"""Read the YAML of `mkdocs.yml`, with the tags that MkDocs knows, and run no code."""

import os
from dataclasses import dataclass
from typing import Any

import yaml

from docs_sitemap.tools.printing import one_line

# A file of the largest size has fewer pairs, unless `<<` repeats them.
_MAX_PAIRS = 250_000

# What constructors of PyYAML raise for values that do not fit their tags.
_INVALID = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)

# What the prefix `!!` stands for.
_STANDARD_TAGS = "tag:yaml.org,2002:"

_Node = yaml.ScalarNode | yaml.SequenceNode | yaml.MappingNode


@dataclass(frozen=True, eq=False, repr=False)
class TaggedValue:
    """A value with a tag that names code, such as `!!python/name:module.function`, or
    that only MkDocs understands, such as `!relative`.

    Attributes:
        tag: The complete tag, such as `!relative`, or
            `tag:yaml.org,2002:python/name:module.function`.
        value: The value without the tag: text, a list, or a mapping.
    """

    tag: str
    value: Any

    def __repr__(self) -> str:
        """Return the tag as users write it. The text of a value can be endless."""
        return self.tag.replace(_STANDARD_TAGS, "!!")


class _Loader(yaml.SafeLoader):
    """A loader that keeps values with unknown tags as `TaggedValue`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._pairs = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Replace `<<` by what it merges, if these are not too many keys."""
        super().flatten_mapping(node)
        self._pairs += len(node.value)
        if self._pairs > _MAX_PAIRS:
            raise yaml.constructor.ConstructorError(
                problem="<< merges too many keys", problem_mark=node.start_mark
            )

    def construct_env(self, node: _Node) -> Any:
        """Return the value of the first environment variable that is set; otherwise,
        the default.

        Source: <https://github.com/waylan/pyyaml-env-tag>.
        """
        default = None
        names: list[Any] = [node]
        if isinstance(node, yaml.SequenceNode):
            names = node.value
            if len(names) > 1:
                default = self.construct_object(names[-1], deep=True)
                names = names[:-1]
        for name in names:
            value = os.environ.get(self.construct_scalar(name))
            if value is not None:
                tag = self.resolve(  # type: ignore[no-untyped-call]
                    yaml.ScalarNode, value, (True, False)
                )
                return self.construct_object(yaml.ScalarNode(tag, value))
        return default

    def construct_tagged(self, tag: str, node: _Node) -> TaggedValue:
        """Return a value with an unknown tag."""
        if isinstance(node, yaml.MappingNode):
            return TaggedValue(tag, self.construct_mapping(node, deep=True))
        if isinstance(node, yaml.SequenceNode):
            return TaggedValue(tag, self.construct_sequence(node, deep=True))
        return TaggedValue(tag, node.value)


_Loader.add_constructor("!ENV", _Loader.construct_env)
# For all tags that have no constructor.
_Loader.add_multi_constructor(None, _Loader.construct_tagged)


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML document; `None` if it is empty.

    Raises:
        ValueError: The document is invalid. The message says where.
    """
    try:
        return _Loader(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        reason = ", ".join(filter(None, [error.context, error.problem]))
        if error.problem_mark is not None:
            reason = f"line {error.problem_mark.line + 1}: {reason}"
        reason = one_line(reason)
    except RecursionError:
        reason = "it is nested too deeply"
    except (yaml.YAMLError, *_INVALID) as error:
        reason = one_line(str(error))
    raise ValueError(reason)
