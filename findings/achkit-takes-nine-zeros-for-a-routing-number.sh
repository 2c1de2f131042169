#!/usr/bin/env bash
# achkit 0.2.0: `isValidRouting` looks at the check digit alone. Nine zeros have a right one, although no bank has that number and the
# Federal Reserve assigns the first two digits by district, so that a placeholder passes as a bank.
#
# Guess before the run: nine zeros are refused.
# Seen: they are taken; a wrong check digit is refused.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund achkit@0.2.0
cat > run.mjs <<'JS'
import { isValidRouting } from 'achkit';

for (const routing of ['011401533', '011401534', '000000000'])
  console.log(`${routing}: ${isValidRouting(routing)}`);
JS
seen=$(TZ=UTC node run.mjs)
echo "$seen"
expected='011401533: true
011401534: false
000000000: true'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
