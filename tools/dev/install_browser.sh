#!/bin/sh
# The browser tests need Chromium, Chrome or Edge, and Node.js with npm. On Debian as root what is missing is
# installed; elsewhere the tests themselves say which of them didn't run.
browser=
for name in chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge msedge; do
  command -v "$name" > /dev/null && browser=$name
done
missing=
[ -n "$browser" ] || missing=chromium
command -v npm > /dev/null || missing="$missing nodejs npm"
[ -n "$missing" ] || exit 0
if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
  # shellcheck disable=SC2086
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $missing
else
  echo "没有找到 $missing：用到它们的测试不会运行。"
fi
