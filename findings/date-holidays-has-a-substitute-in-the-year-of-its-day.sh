#!/usr/bin/env bash
# date-holidays 3.37.0: the Friday before a New Year's Day on a Saturday belongs to the year in which it falls. A calendar that is made
# from the holidays of 2028 alone takes 31 December 2027 for a working day; @18f/us-federal-holidays 4.0.0 has it the other way
# round, in 2028, so that neither can be checked against the other year by year.
#
# Guess before the run: date-holidays gives it with the holiday that it stands for, in the year 2028, as the other one does.
# Seen: date-holidays has it in 2027 only, and the other one in 2028 only.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund date-holidays@3.37.0 @18f/us-federal-holidays@4.0.0
cat > run.mjs <<'JS'
import Holidays from 'date-holidays';
import federal from '@18f/us-federal-holidays';

const day = '2027-12-31';
for (const year of [2027, 2028]) {
  const one = new Holidays('US').getHolidays(year).some(({ date, type }) => type === 'public' && date.startsWith(day));
  const other = federal.allForYear(year).some(({ dateString }) => dateString === day);
  console.log(`${year}: date-holidays ${one}, us-federal-holidays ${other}`);
}
JS
seen=$(TZ=UTC node run.mjs)
echo "$seen"
expected='2027: date-holidays true, us-federal-holidays false
2028: date-holidays false, us-federal-holidays true'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
