#!/usr/bin/env bash
# An environment beside .venv with the clients that tests/integrations drives: it sees all that .venv holds, and
# what the clients bring stays out of .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=.venv-integrations/installed
if [ -f "$stamp" ] && cmp -s "$stamp" requirements-integrations.txt; then exit 0; fi
.venv/bin/python -m venv .venv-integrations
site() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
base=$(site .venv/bin/python)
printf '%s\nimport site; site.addsitedir("%s")\n' "$base" "$base" > "$(site .venv-integrations/bin/python)/fabula-base.pth"
install() { .venv-integrations/bin/python -m pip install --quiet --disable-pip-version-check "$@"; }
install $(sed -n 's/^# first: //p' requirements-integrations.txt)
install -r requirements-integrations.txt
if ! command -v nvim >/dev/null; then
  { [ "$(id -u)" = 0 ] && timeout 180 apt-get install -qq -y neovim >/dev/null 2>&1; } ||
    echo "Neovim is not there and could not be installed: the test that drives it is skipped"
fi
cp requirements-integrations.txt "$stamp"
