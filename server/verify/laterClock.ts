import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { writeText } from '../reportFile.ts';

/** The variable that says by how much (ms) the clock of the program is later than the machine's. */
const shift = 'VERIFY_CLOCK_MS';

/** What a runtime loads before the program, by the name of its file: it moves each clock that tells the time of day. */
const hooks: Readonly<Record<string, string>> = {
  'clock.cjs': `
const [ms, RealDate] = [Number(process.env.${shift}), Date];
const now = () => RealDate.now() + ms;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
`,
  'sitecustomize.py': `
import datetime, os, time
ms = int(os.environ['${shift}'])
real_time, real_ns, real_strftime = time.time, time.time_ns, time.strftime
time.time = lambda: real_time() + ms / 1000
time.time_ns = lambda: real_ns() + ms * 1000000
def later(convert):
    return lambda seconds=None: convert(time.time() if seconds is None else seconds)
time.gmtime, time.localtime, time.ctime = later(time.gmtime), later(time.localtime), later(time.ctime)
time.strftime = lambda form, at=None: real_strftime(form, time.localtime() if at is None else at)
class AnyOf(type):
    def __instancecheck__(cls, value):
        return isinstance(value, cls.__mro__[1]) if cls in (Date, DateTime) else super().__instancecheck__(value)
class Date(datetime.date, metaclass=AnyOf):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())
class DateTime(datetime.datetime, metaclass=AnyOf):
    def date(self):
        return Date(self.year, self.month, self.day)
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
    @classmethod
    def today(cls):
        return cls.now()
    @classmethod
    def utcnow(cls):
        return cls.now(datetime.timezone.utc).replace(tzinfo=None)
datetime.date, datetime.datetime = Date, DateTime
for made, name in (Date, 'date'), (DateTime, 'datetime'):
    made.__name__ = made.__qualname__ = name
    made.__module__ = 'datetime'
`,
  'VerifyClock.pm': `
package VerifyClock;
BEGIN {
  my $seconds = int($ENV{${shift}} / 1000);
  *CORE::GLOBAL::time = sub () { CORE::time() + $seconds };
  *CORE::GLOBAL::gmtime = sub (;$) { CORE::gmtime(@_ ? $_[0] : CORE::time() + $seconds) };
  *CORE::GLOBAL::localtime = sub (;$) { CORE::localtime(@_ ? $_[0] : CORE::time() + $seconds) };
}
1;
`,
};

/**
 * Returns the variables with which a program in Node, Python or Perl runs at a time that is later by `ms`; in any other
 * language they change nothing. The hooks are written into the folder.
 */
export async function laterClock(
  folder: string,
  ms: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(hooks)) await writeText(join(folder, name), text);
  const { NODE_OPTIONS = '', PYTHONPATH = '', PERL5OPT = '' } = env;
  return {
    [shift]: String(ms),
    NODE_OPTIONS: `${NODE_OPTIONS} --require ${JSON.stringify(join(folder, 'clock.cjs'))}`.trim(),
    PYTHONPATH: [folder, PYTHONPATH].filter((path) => path !== '').join(delimiter),
    PERL5OPT: `-I${folder} -MVerifyClock ${PERL5OPT}`.trim(),
  };
}

const [minute, hour, day] = [60_000, 3600_000, 86_400_000];

/**
 * Returns by how much (ms) a clock is set on so that another day, hour and minute have begun in UTC. The day before is still
 * today somewhere, so that a service which knows its payers' zones takes what was stored then.
 */
export const untilNextDay = (now: number): number => {
  const past = now % hour < hour / 2 ? 45 : 15;
  return Math.ceil((now + 1) / day) * day + past * minute - now;
};

/** Returns by how much a clock is set on so that the next working day is another one too, whichever days are no working days. */
export const untilOtherWorkingDay = (now: number): number => untilNextDay(now) + 5 * day;

/**
 * Returns two time zones for the next hour: the local day of a program in the first one ends before that of the second one
 * begins. Both days are today somewhere.
 */
export const zonesAroundMidnight = (now: number): readonly [before: string, after: string] =>
  new Date(now).getUTCHours() < 11 ? ['Etc/GMT+12', 'Etc/UTC'] : ['Etc/UTC', 'Etc/GMT-14'];
