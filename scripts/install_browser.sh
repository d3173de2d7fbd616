#!/usr/bin/env bash
# A chromium for the browser tests: installed by apt-get where there is none and we may, else said how to get one.
set -euo pipefail

for name in "${FABULA_CHROMIUM:-}" chromium chromium-browser; do
  if [ -n "$name" ] && command -v "$name" >/dev/null; then
    echo "chromium: $(command -v "$name")"
    exit 0
  fi
done

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  echo "chromium: $(command -v chromium)"
  exit 0
fi

echo "There is no chromium here. Install one (on Debian: sudo apt-get install chromium)," >&2
echo "or name one that you have: FABULA_CHROMIUM=/path/to/chromium make browser" >&2
exit 1
