import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { batchBody, onboard, subscribe } from '#tests/support/guidedPath.ts';

/** `npm run soak` takes 10 minutes; a few seconds show failures, but cannot distinguish growth from warming up. */
const minutes = Number(process.env['MINUTES'] ?? 0.1);
/** Requests per second, below the limit for one address. */
const rate = 60;
/** In ms. Every list of invoices reads all paid ones, so thousands of payments would measure those lists alone. */
const paymentInterval = 5_000;
const samples = 20;
const mostGrowth = 1.1;

it(
  'A mixed load causes no failure, and resident memory grows by less than a tenth in three minutes or more',
  { timeout: minutes * 60_000 + 300_000 },
  async () => {
    const program = await newConsole();
    onTestFinished(() => program.remove());
    await program.start();
    const api = apiAt(program.url);
    await onboard(api);
    const { rules, subscriptionId } = await subscribe(api);
    const form = paymentForm(rules);
    const get = (path: string) => async () => {
      const response = await fetch(program.url + path);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
    };
    // Payments follow each other, because two at a time would choose the same unpaid invoices.
    let [paying, paidAt] = [false, 0];
    const pay = async () => {
      if (paying || Date.now() - paidAt < paymentInterval) return;
      [paying, paidAt] = [true, Date.now()];
      await payNext().finally(() => (paying = false));
    };
    const payNext = async () => {
      const body = await batchBody(api, subscriptionId, form);
      const { data } = await api.done('createBatch', { body });
      await api.done('getBatch', { params: { batchId: data.batchId } });
    };
    const query = () => api.done('queryCreditors', { body: { data: { subscriptionId } } });
    const clear = () => api.done('setSetting', { body: { key: 'webhookData', value: '' } });
    const reads = ['/', '/healthz', '/readyz', '/api/settings', '/api/facts', '/api/providers', '/api/fileformats'].map(
      get,
    );
    const more = ['/api/invoices?count=100', `/api/subscription/${subscriptionId}`, '/api/getbatchpayments'].map(get);
    const load = [...reads, ...more, ...reads, ...more, ...reads, ...more, pay, query, clear];

    const failures: string[] = [];
    const spent: number[] = [];
    let made = 0;
    async function make(): Promise<void> {
      const started = performance.now();
      made += 1;
      await load[made % load.length]!().catch((error: unknown) => failures.push(String(error)));
      spent.push(performance.now() - started);
    }

    /** Makes requests at this rate for this long (ms). */
    async function run(ms: number): Promise<void> {
      const until = Date.now() + ms;
      const underWay: Promise<void>[] = [];
      while (Date.now() < until) {
        underWay.push(make());
        await wait(1000 / rate);
        if (underWay.length > 500) await underWay.shift();
      }
      await Promise.all(underWay);
    }

    const each = (minutes * 60_000) / samples;
    const resident: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      await run(each);
      resident.push((await program.memory()).resident / 1024 ** 2);
    }
    // The first fifth is the warm-up.
    const warm = resident.slice(samples / 5);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const third = Math.floor(warm.length / 3);
    const growth = mean(warm.slice(-third)) / mean(warm.slice(0, third));
    console.log(`resident memory, MB: ${resident.map((value) => value.toFixed(0)).join(' ')}`);
    console.table({
      minutes,
      made,
      failed: failures.length,
      '99th of 100, ms': Math.round(spent.sort((a, b) => a - b)[Math.floor(spent.length * 0.99)]!),
      'slowest, ms': Math.round(spent.at(-1)!),
      growth: growth.toFixed(3),
    });
    expect(failures).toEqual([]);
    if (minutes >= 3) expect(growth).toBeLessThan(mostGrowth);
  },
);
