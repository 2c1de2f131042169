import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { logThrottle } from '#server/ops/logThrottle.ts';
import { DatabaseError, ownCodes, postgresError } from '#server/storage/errors.ts';

const refused = () =>
  postgresError(
    'the database',
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
  );
const starting = () => postgresError('the database', Object.assign(new Error('starting up'), { code: '57P03' }));

/** A log, and the lines that it has printed. */
function printing() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: { msg: string; err?: { message: string }; alike?: number; route?: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]); // as pino writes it
  return { log: pino({ hooks: { logMethod: logThrottle(systemClock) } }, { write }), lines };
}

it('The log prints the first of equal database failures, then the latest every ten seconds with a count', () => {
  const { log, lines } = printing();
  for (let second = 0; second < 25; second += 1) {
    log.error({ err: refused(), route: `/${second}` }, 'a request failed');
    vi.advanceTimersByTime(1000);
  }
  vi.advanceTimersByTime(60_000);
  expect(lines.map(({ route, alike }) => [route, alike])).toEqual([
    ['/0', undefined],
    ['/9', 8],
    ['/19', 9],
    ['/24', 4],
  ]);

  log.error({ err: refused() }, 'a request failed');
  expect(lines, 'the next outage is told at once').toHaveLength(5);
});

it('The log prints immediately lines with another message, another error or no database failure', () => {
  const { log, lines } = printing();
  const kinds = [
    () => log.error({ err: refused() }, 'a request failed'),
    () => log.error({ err: refused() }, 'the timeline could not be read'),
    () => log.error({ err: starting() }, 'a request failed'),
    () =>
      log.error(
        { err: new DatabaseError('host/sandbox', ownCodes.unfit, 'another sandbox works on it') },
        'the sandbox cannot read its jobs',
      ),
  ];
  for (const print of [...kinds, ...kinds]) print();
  expect(lines).toHaveLength(kinds.length);

  lines.length = 0;
  for (let count = 0; count < 3; count += 1) {
    log.error({ err: new TypeError('nothing is there') }, 'a request failed');
    log.info('a line without values');
  }
  expect(lines).toHaveLength(6);
});
