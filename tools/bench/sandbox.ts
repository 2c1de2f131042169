/**
 * The sandbox as a process of its own, without its limit of calls; prints its URL. `argv`: its data
 * folder, where webhooks go, and the time (ms) before each webhook and step.
 */
import { randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import { systemClock as clock } from '../../server/clock.ts';
import { catalogue } from '../../server/sandbox/catalogue/index.ts';
import { createSandbox } from '../../server/sandbox/createSandbox.ts';
import { pino } from 'pino';
import { sandboxSecret } from '../../tests/support/sandboxCredentials.ts';

const limitless = 1_000_000;
const delay = Number(argv[4] ?? 5);
const { url } = await createSandbox({
  catalogue,
  clock,
  newId: () => randomUUID(),
  log: pino({ level: 'silent' }),
  dataDir: argv[2]!, // given
  secret: sandboxSecret,
  host: '127.0.0.1',
  port: 0,
  webhookUrl: argv[3] ?? '',
  config: { rate: { perSecond: limitless, burst: limitless }, webhookDelay: delay, stepDelay: delay },
});
console.log(url);
