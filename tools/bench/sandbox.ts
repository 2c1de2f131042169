/**
 * The sandbox as a process of its own, without its limit of calls; prints its URL. `argv`: its data
 * folder, where webhooks go, and the time (ms) before each webhook and step.
 */
import { argv } from 'node:process';
import { createSandbox } from '../../server/sandbox/createSandbox.ts';
import { sandboxSecret } from '../../tests/support/sandboxCredentials.ts';

const limitless = 1_000_000;
const delay = Number(argv[4] ?? 5);
const { url } = await createSandbox({
  data: argv[2]!, // given
  secret: sandboxSecret,

  port: 0,
  webhookUrl: argv[3] ?? '',
  recorded: 0,
  config: { rate: { perSecond: limitless, burst: limitless }, webhookDelay: delay, stepDelay: delay },
});
console.log(url);
