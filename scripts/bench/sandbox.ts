/** The sandbox as a process of its own, without its limit of calls; prints its URL. `argv`: its data folder. */
import { randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import { systemClock as clock } from '#server/clock.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { openSandbox } from '#server/sandbox/open.ts';
import { pino } from 'pino';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const limitless = 1_000_000;
const { url } = await openSandbox({
  catalogue,
  clock,
  newId: () => randomUUID(),
  log: pino({ level: 'silent' }),
  dataDir: argv[2]!, // given
  credentials: sandboxCredentials,
  host: '127.0.0.1',
  port: 0,
  webhookUrl: argv[3] ?? '',
  config: { rate: { perSecond: limitless, burst: limitless }, webhookDelay: 5, stepDelay: 5 },
});
console.log(url);
