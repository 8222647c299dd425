"""Report pages without a date in a shallow clone: the message and its severity."""

from collections.abc import Sequence

from docs_sitemap.ci_services import full_history_advice
from docs_sitemap.config.values import ShallowAction
from docs_sitemap.date_status import DateStatus
from docs_sitemap.diagnostics import BuildCode, Diagnostics
from docs_sitemap.entry import Entry
from docs_sitemap.errors import ShallowError
from docs_sitemap.tools.printing import count


def report_shallow_clone(
    entries: Sequence[Entry], action: ShallowAction, diagnostics: Diagnostics
) -> None:
    """Report the pages whose commits are not in the shallow clone, if there are any.

    Args:
        entries: The pages that git can date.
        action: The option `shallow`.
        diagnostics: Receives a notice or a warning.

    Raises:
        ShallowError: There are some, and the action is `error`.
    """
    undated = 0
    for entry in entries:
        if entry.lastmod.status is DateStatus.SHALLOW:
            undated += 1
    if not undated:
        return
    verb = "has" if undated == 1 else "have"
    message = (
        f"{undated:,} of {count(len(entries), 'page')} {verb} no lastmod: the git "
        "clone is shallow and does not contain the commits. Fix: "
        f"{full_history_advice()}."
    )
    if action is ShallowAction.ERROR:
        raise ShallowError(message)
    # Most CI services make a shallow clone, and strict builds there should not fail.
    if action is ShallowAction.WARN:
        diagnostics.note(BuildCode.GIT, message)
    else:
        diagnostics.warn(BuildCode.GIT, message)
