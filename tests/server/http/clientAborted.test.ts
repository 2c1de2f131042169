import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';

it('A connection that the client closes before the response is logged at debug level, not as a warning', async () => {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]); // as pino writes it
  const log = pino({ level: 'debug' }, { write });
  const events = new EventEmitter();
  const [comes, left] = [once(events, 'comes'), once(events, 'left')];
  const whenLeft: Script = async (...answer) => {
    events.emit('comes');
    await left;
    await answering({})(...answer);
  };
  const upstreamUrl = (await fakeUpstream({ '/': whenLeft })).url;
  const { url } = await testConsole({ upstreamUrl, log });
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await comes;
  socket.resetAndDestroy();
  const told = () => lines.filter(({ msg }) => msg === 'an answer could not be sent').map(({ level }) => level);
  await expect.poll(told).toEqual([pino.levels.values['debug']]);
  events.emit('left');
});
