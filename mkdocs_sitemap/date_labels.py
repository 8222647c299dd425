"""The label of a date, in the language of the site."""

import jinja2

# The languages that most documentation is written in. Babel has no such word.
_LABELS = {
    "ar": "آخر تحديث",
    "cs": "Poslední aktualizace",
    "de": "Zuletzt aktualisiert",
    "en": "Last updated",
    "es": "Última actualización",
    "fa": "آخرین به‌روزرسانی",
    "fr": "Dernière mise à jour\N{NO-BREAK SPACE}",
    "id": "Terakhir diperbarui",
    "it": "Ultimo aggiornamento",
    "ja": "最終更新日",
    "ko": "마지막 업데이트",
    "nl": "Laatst bijgewerkt",
    "pl": "Ostatnia aktualizacja",
    "pt": "Última atualização",
    "ru": "Последнее обновление",
    "sv": "Senast uppdaterad",
    "tr": "Son güncelleme",
    "uk": "Останнє оновлення",
    "vi": "Cập nhật lần cuối",
    "zh": "最后更新",
    "zh-hant": "最後更新",
    "zh-tw": "最後更新",
}


def date_label(language: str, env: jinja2.Environment) -> str:
    """Return the translation of the theme, or ours; empty if there is none.

    Args:
        language: The language of the theme.
        env: The templates of the theme.
    """
    code = language.replace("_", "-").lower()
    label = _LABELS.get(code) or _LABELS.get(code.partition("-")[0], "")
    try:
        # Of Material for MkDocs, and of themes that were made from it.
        template = env.get_template(f"partials/languages/{language}.html")
        translate = getattr(template.module, "t", None)
        if translate is not None:
            label = translate("source.file.date.updated") or label
    except jinja2.TemplateError:  # usually, there is no such template
        return label
    return str(label)
