#!/usr/bin/env bash
# achkit 0.2.0: its README says that dates are always YYYY-MM-DD, and its writer takes no other. What it reads from the same file
# has them as they stand in the columns, YYMMDD: a batch that is read and written again needs its date put together first.
#
# Guess before the run: `parse` gives the effective date as it was given to the writer.
# Seen: 2026-07-22 is written, 260722 is read; the name in capitals, because the writer changes it.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund achkit@0.2.0
cat > run.mjs <<'JS'
import { AchFile, parse } from 'achkit';

const file = AchFile.create({ originDfi: '091000019', companyId: '1234567890' });
file
  .batch({ sec: 'PPD', description: 'PAYROLL', effectiveDate: '2026-07-22' })
  .credit({ name: 'Jane Doe', routing: '011401533', account: '0072', amountCents: 124050 });
const [batch] = parse(file.render()).batches;
console.log(`effective date: ${batch.effectiveDate}`);
console.log(`name: ${batch.entries[0].name}`);
JS
seen=$(TZ=UTC node run.mjs)
echo "$seen"
expected='effective date: 260722
name: JANE DOE'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
