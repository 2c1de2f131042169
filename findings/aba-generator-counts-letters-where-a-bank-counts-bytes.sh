#!/usr/bin/env bash
# aba-generator 2.1.0: a payee with accents is written as it is given. The line has 120 characters, and more bytes in UTF-8, so that all
# columns behind the name are shifted for a reader of bytes, as banks are: the BSB of the payer begins two columns too late.
#
# Guess before the run: the name is refused, or written in ASCII, because the format has fixed columns of one byte.
# Seen: 120 characters, 122 bytes; the payer's BSB at byte 83 instead of 81.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund aba-generator@2.1.0
cat > run.mjs <<'JS'
import ABA from 'aba-generator';

const payment = {
  bsb: '061021',
  transactionCode: ABA.CREDIT,
  account: '123456',
  amount: 12,
  accountTitle: 'Zoë Café',
  reference: 'INV-1',
  traceBsb: '061123',
  traceAccount: '1234567',
  remitter: 'Acme',
};
const [, line] = new ABA({ header: { bank: 'ANZ', user: 'Acme', userNumber: 1, description: 'PAY', date: '310126' } })
  .generate([payment])
  .split('\r\n');
const bytes = Buffer.from(line);
console.log(`characters: ${line.length}, bytes: ${bytes.length}`);
console.log(`BSB of the payer at byte ${bytes.indexOf('061-123') + 1}`);
JS
seen=$(TZ=UTC node run.mjs)
echo "$seen"
expected='characters: 120, bytes: 122
BSB of the payer at byte 83'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
