#!/bin/sh
# The browser tests need Chromium, Chrome or Edge. On Debian as root chromium is installed; elsewhere the tests
# themselves say which of them didn't run.
for name in chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge msedge; do
  command -v "$name" > /dev/null && exit 0
done
if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends chromium
else
  echo '没有找到 Chromium、Chrome 或 Edge：浏览器测试不会运行。'
fi
