#!/usr/bin/env bash
# The step of action.yml: run one command, and show its results on the page of the job.
#
# COMMAND: the command with its arguments, as in a shell, but without variables.
# VERSION: the version to install, or nothing for the one of this repository.
# PYTHON: the program, or nothing for the `python3` of the job.
# SOURCE: the folder of this repository, from which docs-sitemap is installed.
# PIP_CACHE_DIR: what pip has downloaded in earlier jobs.
set -euo pipefail

# A separate environment does not change the Python of the job.
environment=$RUNNER_TEMP/docs-sitemap
program=$environment/bin/docs-sitemap
if [ ! -x "$program" ]; then
	python=${PYTHON:-python3}
	if ! "$python" -c "import sys; sys.exit(sys.version_info < (3, 11))"; then
		echo "::error::docs-sitemap needs Python 3.11 or newer. Fix: install it in the container of the job"
		exit 1
	fi
	"$python" -m venv "$environment"
	package=$SOURCE[online]
	[ -z "$VERSION" ] || package="docs-sitemap[online]==$VERSION"
	# The same versions of all other packages as in the release.
	PIP_CONSTRAINT=$SOURCE/.github/constraints.txt \
		"$environment/bin/pip" install --quiet --disable-pip-version-check "$package"
fi

# Dates need the complete history, but actions/checkout fetches only the newest commit.
# The messages of git can contain a password or a token of the remote.
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = true ]; then
	git fetch --quiet --no-tags --unshallow 2>/dev/null || echo "::warning::The history cannot be fetched, so some pages will have no date. Fix: add fetch-depth: 0 to actions/checkout"
fi

messages=$RUNNER_TEMP/docs-sitemap.err
annotate() {
	sed -n -e 's/%/%25/g' \
		-e 's/^Error: /::error title=docs-sitemap::/p' \
		-e 's/^Warning: /::warning title=docs-sitemap::/p' \
		-e 's/^Note: /::notice title=docs-sitemap::/p' "$messages"
}

helper() {
	"$environment/bin/python" "$SOURCE/.github/action.py" "$@"
}
words=()
while IFS= read -r -d '' word; do
	words+=("$word")
done < <(helper 2>"$messages")
if [ "${#words[@]}" = 0 ]; then
	annotate
	sed '/^Error: /d' "$messages"
	echo "exit-code=2" >>"$GITHUB_OUTPUT"
	exit 2
fi
# Use the best format for the page of the job, unless the command names another one.
case "${words[0]} ${words[*]}" in
	*" --format"* | *" -f"*) ;;
	"check "*) words+=(--format github) ;;
	"compare "*) words+=(--format markdown) ;;
esac

output=$RUNNER_TEMP/docs-sitemap.out
code=0
"$program" "${words[@]}" 2>"$messages" | tee "$output" || code=$?
cat "$messages" >&2
annotate
{
	if [[ ${words[*]} =~ \ (--format|-f)[\ =]?markdown ]]; then
		cat "$output"
	else
		# No URL in the output can end a block without a "<".
		printf '<pre>\n'
		sed -e '/^::/d' -e 's/&/\&amp;/g' -e 's/</\&lt;/g' "$output"
		printf '</pre>\n'
	fi
} >>"$GITHUB_STEP_SUMMARY"
{
	helper "${words[@]}" || true
	echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
exit "$code"
