#!/bin/sh
# The browser tests drive an installed Chromium or Chrome; on Debian, and as root, one is installed when absent.
set -e
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
  [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && exit 0
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  echo "installing chromium for the browser tests" >&2
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
else
  echo "no Chromium found: the browser tests will be skipped (install one, or set CHROMIUM to its path)" >&2
fi
