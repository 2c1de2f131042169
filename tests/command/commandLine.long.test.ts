import { execFileSync } from 'node:child_process';
import { type AnyMachineSnapshot } from 'xstate';
import { describe, expect, it } from 'vitest';
import { commandLine } from '#app/journey/inspector/commandLine.ts';
import { connect } from '#app/tools/lab/connect.ts';
import { main } from '#command/main.ts';
import { visitSandbox } from '#command/visits.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import { plain } from '#runner/file.ts';
import type { Walk } from '#runner/actions.ts';
import { createWalker } from '#runner/runJourney.ts';
import { isOfWalk, walkOf } from '#runner/walkOf.ts';
import { pathnameOf } from '#rules/url.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { path } from '#tests/support/journeyRunner.ts';

type Server = Awaited<ReturnType<typeof consoleWithSandbox>>;

/** The arguments of a command as a shell splits them. */
const argumentsOf = (line: string): string[] =>
  execFileSync('/bin/sh', ['-c', `journey() { printf '%s\\0' "$@"; }\n${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** Runs a printed line in this process; what it prints, and its exit code. */
async function runLine(line: string) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const code = await main(argumentsOf(line), { root: '.', env: {} }, { print, complain: print });
  return { code, printed: printed.join('\n') };
}

class Reached extends Error {}

/** Walks a journey as its user, at most to the state `until`; the journey's snapshot there. */
async function walked({ url }: Server, walk: Walk, until = ''): Promise<AnyMachineSnapshot> {
  const connected = await connect({ origin: url, headers: {} });
  const hands = {
    ...connected,
    visit: (visit: Parameters<typeof visitSandbox>[0]) => visitSandbox(visit, connected.go),
  };
  const walker = createWalker(connected.actor, { ...hands, patient: false, now: () => performance.now() });
  const arrived = (_: JourneyId, state: string) =>
    state === until ? Promise.reject(new Reached()) : Promise.resolve();
  try {
    const [ended] = await walker.all([walk], { arrived }).catch((error: unknown) => {
      if (error instanceof Reached) return [];
      throw error;
    });
    if (ended) expect(ended).toMatchObject({ end: 'done', because: '' });
    return (
      ended ? { context: ended.context } : connected.actor.getSnapshot().context.step?.getSnapshot()
    ) as AnyMachineSnapshot; // of that journey
  } finally {
    walker.stop();
    connected.end();
  }
}

const lineFor = ({ url }: Server, walk: Walk) => commandLine(walk, { command: 'journey', origin: url, signsIn: false });

/** The bodies of a journey's own writes to the service, newest first, without the ids made for each. */
async function sentBy(server: Server, journey: JourneyId): Promise<string[]> {
  const { data } = await server.done('getTimeline', { query: { kind: 'service', limit: '100' } });
  return data
    .filter(({ method, url }) => method === 'POST' && isOfWalk(journey, { method, path: pathnameOf(url) }))
    .map(({ request }) => request.body);
}
const withoutOwnId = (body: string) => body.replace(/"(externalId|debtorId|creditorId)":"[\da-f-]{32,36}"/g, '"$1":""');

/** Texts that a shell, JSON and a line could misread. */
const hostile = `O'Neil & "Söhne" $HOME \`x\` \\ !`;
const values: Partial<Record<JourneyId, Walk['values']>> = {
  settings: { providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en-GB' },
  company: { name: hostile },
  dataset: { name: hostile },
  bankFiles: { country: 'FR', language: 'fr-FR' },
  providers: { country: 'CA', language: '' },
};
const choices: Partial<Record<JourneyId, Walk['choices']>> = { electronicPayment: { invoices: 2 } };
const pays: readonly JourneyId[] = ['electronicPayment', 'filePayment'];

/** The same snapshot where the form is not open, as beside a result or a record. */
const closed = (snapshot: AnyMachineSnapshot) =>
  ({
    context: { ...(snapshot.context as object), form: { fields: [] }, values: {}, provider: null, providers: [] },
  }) as AnyMachineSnapshot; // of that journey

describe('the command line of each step', () => {
  it('does on the same console what the step’s user did, with the same request (behaviour 10.19.8)', async () => {
    const server = await consoleWithSandbox();
    // The subscription of a bank becomes the current one, without debtors.
    const last = 'bankSubscription';
    const others = [...journeyOrder.filter((id) => !path.includes(id) && id !== last), last] as const;
    for (const journey of [...(path as JourneyId[]), ...others]) {
      const walk = { journey, values: values[journey] ?? {}, choices: choices[journey] ?? {} };
      const snapshot = await walked(server, walk, pays.includes(journey) ? 'review.ready' : '');
      const before = await sentBy(server, journey);
      const [body] = pays.includes(journey) ? [] : before;
      const given = walkOf(journey, snapshot);
      if (body) {
        expect(walkOf(journey, snapshot, body), 'from the recorded request').toEqual(given);
        expect(walkOf(journey, closed(snapshot), body), 'where the form is not open').toEqual(given);
      }
      const line = lineFor(server, given);
      expect(await runLine(line), line).toMatchObject({ code: 0 });
      const after = await sentBy(server, journey);
      if (pays.includes(journey)) expect(after).toHaveLength(before.length + 1);
      if (body) expect(withoutOwnId(after[0] ?? ''), line).toBe(withoutOwnId(body));
    }
  });

  it.each([{ invoices: 1 }, { invoices: 3 }])(
    'pays the invoices of a recorded payment no second time: $invoices (behaviour 10.19.8)',
    async (chosen) => {
      const server = await consoleWithSandbox();
      for (const each of path.slice(0, path.indexOf('electronicPayment')) as JourneyId[])
        await walked(server, plain(each));
      const snapshot = await walked(server, { ...plain('electronicPayment'), choices: chosen });
      const [body = ''] = await sentBy(server, 'electronicPayment');
      const walk = walkOf('electronicPayment', snapshot, body);
      expect(walk.choices['invoices']).toHaveLength(chosen.invoices);
      const { code, printed } = await runLine(lineFor(server, walk));
      expect(code).toBe(1);
      expect(printed).toContain(`${chosen.invoices} of the invoices may be paid already`);
      expect(await sentBy(server, 'electronicPayment')).toHaveLength(1);
    },
  );

  it('masks a secret and says where it stands (behaviour 10.19.8)', () => {
    const walk = { journey: 'subscription' as const, values: { password: 'hunter2-hunter2' }, choices: {} };
    const line = commandLine(walk, { command: 'journey', origin: 'http://127.0.0.1:3000', signsIn: true });
    expect(line).not.toContain('hunter2');
    expect(line).toContain('# Put the secret in place of $TOKEN.');
    expect(line).toContain('# $CONSOLE_COOKIE: the cookie of your session, name=value');
  });
});
