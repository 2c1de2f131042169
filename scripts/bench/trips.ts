import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { scopeHeader, webhookPollInterval } from '#contract/constants.ts';
import { enter, entries, prepare, goNext, press } from '#tests/browser/guidedSteps.ts';
import { visit } from '#tests/browser/visit.ts';
import { apiAt } from '#tests/support/api.ts';
import { findChromium, openBrowser } from '#tests/support/browser.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { median, type Row } from './row.ts';
import { here, opened, recordsOf } from './storage.ts';

/** Pages that wait at the same time, the messages that they wait for, and how long (ms) they are watched. */
const pages = 1000;
const messages = 50;
/** A stream is cut at the end. */
const cut = () => undefined;
const watched = 6000;
const warming = 10_000;

/** CPU time of a process so far, in s: user and system, from /proc in ticks of 10 ms. */
function spentBy(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); // its documented form
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The headers that a browser sends besides ours. */
const browserHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept: 'application/json, text/plain, */*',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-GB,en;q=0.9',
  'console-step': 'debtor/answering.waiting',
};

/**
 * One request over a connection of its own that stays open; resolves with the answer's ETag, and with '' if the
 * connection had ended meanwhile.
 */
const ask = (url: string, agent: Agent, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    get(url, { agent, headers: { ...browserHeaders, ...headers } }, (response) => {
      response.resume().on('end', () => resolve(response.headers.etag ?? ''));
    }).on('error', () => resolve(''));
  });

/** What part of a core the console spends on so many waiting pages, which poll every second. */
async function coreFor(program: ConsoleProcess, count: number, asks: 'for what is new' | 'for all'): Promise<number> {
  const { url } = program;
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const streams: Agent[] = [];
  let over = false;
  const page = async (agent: Agent, index: number) => {
    const id = `message-${index % messages}`;
    await wait((index / count) * webhookPollInterval);
    if (asks === 'for what is new') {
      const stream = new Agent({ keepAlive: true, maxSockets: 1 });
      streams.push(stream);
      get(`${url}/api/events?id=${id}`, { agent: stream, headers: browserHeaders }, (response) =>
        response.on('error', cut).resume(),
      ).on('error', cut);
    }
    let tag = '';
    for (let turn = performance.now(); !over; turn += webhookPollInterval) {
      const known = asks === 'for what is new' && tag ? { 'if-none-match': tag } : {};
      tag = await ask(`${url}/api/messages/${id}`, agent, { [scopeHeader]: here.company, ...known });
      await wait(Math.max(0, turn + webhookPollInterval - performance.now()));
    }
  };
  const running = Promise.all(agents.map(page));
  await wait(warming);
  const [before, since] = [spentBy(program.pid()), performance.now()];
  await wait(watched);
  const spent = (spentBy(program.pid()) - before) / ((performance.now() - since) / 1000);
  over = true;
  await running;
  for (const agent of [...agents, ...streams]) agent.destroy();
  return spent;
}

/** Stores messages that await their answers in a database that no console has opened yet. */
async function fill(url: string, key: string): Promise<void> {
  const storage = await opened(url, key);
  const stored = recordsOf(storage, 'messages');
  for (let index = 0; index < messages; index += 1) {
    const messageId = `message-${index}`;
    await stored.put(here, messageId, { ...keptMessage({ messageId, resourceId: `debtor-${index}` }) });
  }
  await storage.close();
}

/** The cost of pages that wait, with and without asking for what is new only. */
async function waiting(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const key = randomBytes(32).toString('base64');
  const storeUrl = `file:${join(folder, 'console.sqlite')}`;
  const program = await newConsole({
    STORE_URL: storeUrl,
    STORE_KEY: key,
    RATE_LIMIT: '5000',
    MAX_CONNECTIONS: '5000',
  });
  try {
    await fill(storeUrl, key);
    await wait(500);
    // The driver closes a file once its statements are collected.
    setFlagsFromString('--expose-gc');
    runInNewContext('gc()');
    await program.start();
    const news = await coreFor(program, pages, 'for what is new');
    const fewer = pages / 10; // as many as ask for all would keep the console from answering
    return [
      {
        what: `${pages} waiting pages, each with its poll every second and its stream`,
        unit: 'ratio',
        ours: news,
        reference: {
          what: `of a core, asking for all (${fewer} pages, ten times)`,
          value: (await coreFor(program, fewer, 'for all')) * 10,
        },
        aim: { most: 0.1 },
      },
    ];
  } finally {
    await program.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

const turns = 7;

/** Creates a debtor and returns the time (ms) from the arrival of its webhook until the page has led home. */
async function shown(page: Page, url: string, name: string): Promise<number> {
  await page.goto('/debtors');
  await enter(page, { ...entries.debtor, 'Account name': name });
  await press(page, 'Create debtor');
  const there = await page.waitForFunction(() => location.pathname === '/' && Date.now(), null, { polling: 'raf' });
  const { data } = await apiAt(url).done('getTimeline', { query: { kind: 'webhook', limit: '1' } });
  return Number(await there.jsonValue()) - Date.parse(data[0]!.at); // its own webhook
}

/** From a debtor's webhook to the debtor, with and without the stream, in a real browser. */
async function webhooks(): Promise<Row[]> {
  const program = await newConsole();
  const browser = await openBrowser(findChromium());
  try {
    await program.start();
    const { page } = await visit(browser, program.url);
    await prepare(page, () => goNext(page));
    const spent = { woken: [] as number[], polled: [] as number[] };
    for (let turn = 0; turn < turns; turn += 1) {
      await page.unroute('**/events?*');
      spent.woken.push(await shown(page, program.url, `Woken ${turn}`));
      await page.route('**/events?*', (route) => route.fulfill({ status: 429, body: '' }));
      spent.polled.push(await shown(page, program.url, `Polled ${turn}`));
    }
    return [
      {
        what: 'from a webhook to its debtor on the page',
        unit: 'ms',
        ours: median(spent.woken),
        reference: { what: 'with polls only', value: median(spent.polled) },
        aim: { most: 100 },
      },
    ];
  } finally {
    await browser.close();
    await program.remove();
  }
}

export const uses = ['Chromium'];

export async function* rows(): AsyncGenerator<Row> {
  yield* await waiting();
  yield* await webhooks();
}
