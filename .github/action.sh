#!/usr/bin/env bash
# The step of action.yml: run one command, and show its results on the page of the job.
#
# COMMAND: the command with its arguments, as in a shell, but without variables.
# SOURCE: the folder of this repository, from which docs-sitemap is installed.
set -euo pipefail

# A separate environment does not change the Python of the job. Runners have several versions.
environment=$RUNNER_TEMP/docs-sitemap
program=$environment/bin/docs-sitemap
if [ ! -x "$program" ]; then
	python=""
	for candidate in python3 python "${RUNNER_TOOL_CACHE:-/none}"/Python/3.1[1-9]*/*/bin/python; do
		if "$candidate" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then
			python=$candidate
			break
		fi
	done
	if [ -z "$python" ]; then
		echo "::error::docs-sitemap needs Python 3.11 or newer. Fix: add the step actions/setup-python before this one"
		exit 1
	fi
	"$python" -m venv "$environment"
	"$environment/bin/pip" install --quiet --disable-pip-version-check "$SOURCE[online]"
fi

# Dates need the complete history, but actions/checkout fetches only the newest commit.
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = true ]; then
	git fetch --quiet --no-tags --unshallow || echo "::warning::The history cannot be fetched, so some pages will have no date. Fix: add fetch-depth: 0 to actions/checkout"
fi

words=()
while IFS= read -r word; do
	words+=("$word")
done < <("$environment/bin/python" -c 'import os, shlex; print(*shlex.split(os.environ["COMMAND"]), sep="\n")')
# Use the best format for the page of the job, unless the command names another one.
case "${words[0]:-} ${words[*]}" in
	*" --format"*) ;;
	"check "*) words+=(--format github) ;;
	"compare "*) words+=(--format markdown) ;;
esac

output=$RUNNER_TEMP/docs-sitemap.out
messages=$RUNNER_TEMP/docs-sitemap.err
code=0
"$program" "${words[@]}" 2>"$messages" | tee "$output" || code=$?
cat "$messages" >&2
sed -n -e 's/%/%25/g' \
	-e 's/^Error: /::error title=docs-sitemap::/p' \
	-e 's/^Warning: /::warning title=docs-sitemap::/p' \
	-e 's/^Note: /::notice title=docs-sitemap::/p' "$messages"
{
	if [[ ${words[*]} == *"--format markdown"* ]]; then
		cat "$output"
	else
		# No URL in the output can end a block without a "<".
		printf '<pre>\n'
		sed -e '/^::/d' -e 's/&/\&amp;/g' -e 's/</\&lt;/g' "$output"
		printf '</pre>\n'
	fi
} >>"$GITHUB_STEP_SUMMARY"
exit "$code"
