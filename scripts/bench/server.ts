import { newConsole } from '#tests/support/consoleProcess.ts';
import { median, timed, type Row } from './row.ts';

const starts = 5;
const requests = 300;
const turns = 20;

/** Reads of the console's own, each beside `/healthz`, and a warm start. */
async function reads(): Promise<Row[]> {
  const program = await newConsole();
  try {
    await program.start(); // builds, if the build is stale
    const get = async (path: string) =>
      median(await timed(requests, async () => (await fetch(program.url + path)).arrayBuffer()));
    const reference = { what: 'GET /healthz', value: await get('/healthz') };
    const beside = async (path: string): Promise<Row> => ({
      what: `GET ${path}`,
      unit: 'ms',
      ours: await get(path),
      reference,
      aim: 'at most 1/0.7 of the reference',
    });
    const warm = await timed(starts, async () => {
      await program.stop('SIGTERM');
      await program.start();
    });
    return [
      await beside('/api/settings'),
      await beside('/api/facts'),
      { what: 'warm start until ready', unit: 's', ours: median(warm) / 1000, aim: 'at most 1 s' },
    ];
  } finally {
    await program.remove();
  }
}

/** A read that goes through to the service, with and without its record; in turns, as the machine's load changes. */
async function recordCost(): Promise<Row[]> {
  const consoles = { kept: await newConsole(), unkept: await newConsole({ TIMELINE_ENTRIES: '0' }) };
  const spent: Record<keyof typeof consoles, number[]> = { kept: [], unkept: [] };
  try {
    for (const each of Object.values(consoles)) await each.start();
    for (let turn = 0; turn < turns; turn += 1)
      for (const name of ['kept', 'unkept'] as const)
        spent[name].push(
          ...(await timed(100, async () => (await fetch(`${consoles[name].url}/api/consumerapistatus`)).arrayBuffer())),
        );
    return [
      {
        what: 'a proxied read, recorded',
        unit: 'ms',
        ours: median(spent.kept),
        reference: { what: 'not recorded', value: median(spent.unkept) },
        aim: 'at most 1.05 of the reference',
      },
    ];
  } finally {
    for (const each of Object.values(consoles)) await each.remove();
  }
}

export const rows = async (): Promise<Row[]> => [...(await reads()), ...(await recordCost())];
