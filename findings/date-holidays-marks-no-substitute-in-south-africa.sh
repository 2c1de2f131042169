#!/usr/bin/env bash
# date-holidays 3.37.0: a day to which a holiday moves is named after it and has `substitute: true`, except in South Africa. There it is
# "Public Holiday" without that member, so that a list of moved days, or of days by their name, lacks it.
#
# Guess before the run: the Monday after Human Rights Day on a Sunday is marked like the Monday after Christmas in England.
# Seen: the English one is marked, the South African one is not.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund date-holidays@3.37.0
cat > run.mjs <<'JS'
import Holidays from 'date-holidays';

const show = (day, ...place) => {
  const found = new Holidays(...place).getHolidays(2027).filter(({ date, type }) => type === 'public' && date.startsWith(day));
  for (const { name, substitute } of found) console.log(`${place.join('-')} ${day}: ${name}, substitute: ${substitute}`);
};
show('2027-12-27', 'GB', 'ENG');
show('2027-03-22', 'ZA');
JS
seen=$(TZ=UTC node run.mjs)
echo "$seen"
expected='GB-ENG 2027-12-27: Christmas Day (substitute day), substitute: true
ZA 2027-03-22: Public Holiday, substitute: undefined'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
