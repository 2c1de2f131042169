import type { Finding } from '#server/programs/checks/evidence.ts';
import { endedWith, type Judged } from './verification.ts';

/** Where the documents say what is right, by the beginning of a check's id: the first entry that fits counts. */
const sections: readonly (readonly [prefix: string, cited: string])[] = [
  ['request-secret', 'docs/verify.md, "Environment variables"; wire, section 3'],
  ['request-redirect', 'wire, section 4'],
  ['request-file-link', 'wire, section 5.4'],
  ['request-members', 'wire, section 5.3'],
  ['request-', 'wire, section 2.2'],
  ['write-paid', 'docs/verify.md, "File of invoices"; wire, section 5.3'],
  ['write-retry-after', 'wire, section 13'],
  ['write-refused', 'wire, section 14'],
  ['write-returned', 'docs/verify.md, "What came back"; wire, section 12'],
  ['write-settled', 'docs/verify.md, "What the program does"'],
  ['write-', 'docs/verify.md, "Checks", "What counts as correct"; wire, section 4'],
  ['webhook-', 'docs/verify.md, "Webhooks"; wire, section 6.3'],
  ['reading-polls', 'docs/verify.md, "Checks", "What counts as correct"; wire, section 13'],
  ['reading-file-link', 'wire, section 5.4'],
  ['reading-', 'wire, section 14'],
  ['truth-', 'docs/verify.md, "Result"; wire, section 12'],
];

/** Returns the sections of the documents that say what a check wants. */
export const citedFor = (check: string): string => sections.find(([prefix]) => check.startsWith(prefix))?.[1] ?? '';

/** An event of a scenario. */
interface Event {
  at: number;
  text: string;
  /** Whether it shows the mistake. */
  isMeant?: boolean;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const keyIn = (key: string | undefined): string =>
  key === undefined ? '' : `  key ${key.length > 8 ? `${key.slice(0, 8)}…` : key}`;

function eventsIn({ evidence: { calls, runs, webhooks } }: Judged, meant: ReadonlySet<number>): Event[] {
  const events: Event[] = runs.flatMap(({ startedAt, endedAt, exitStatus, ended, result }, index) => [
    { at: startedAt, text: `run ${index + 1} starts` },
    {
      at: endedAt,
      text: `run ${index + 1} ends, ${ended === 'itself' ? `with status ${exitStatus ?? 'none'}` : ended === 'killed' ? 'killed by the scenario' : 'at its limit'}${
        typeof result === 'object' ? `, and says ${JSON.stringify(result)}` : ''
      }`,
    },
  ]);
  for (const call of calls)
    events.push({
      at: call.at,
      text: `${call.number}  ${call.method} ${call.path}  ${endedWith(call)} after ${seconds(call.ms)}${keyIn(call.headers['x-idempotency-key'])}`,
      isMeant: meant.has(call.number),
    });
  for (const { type, fault, deliveries } of webhooks)
    for (const { at, status, outcome } of deliveries)
      events.push({
        at,
        text: `webhook ${type}${fault === undefined ? '' : ` (${fault})`}: ${status === 0 ? outcome : status}`,
      });
  return events.toSorted((a, b) => a.at - b.at);
}

/**
 * Returns what led to a failed check in a scenario, event by event, with the sections of the documents that say what would
 * be right. `>` marks the calls that show it. Contains neither bodies nor whole keys.
 */
export function transcriptOf(
  judged: Judged,
  { id, title, why, mend: usual }: { id: string; title: string; why: string; mend: string },
  seen: readonly Finding[],
): string {
  const events = eventsIn(judged, new Set(seen.flatMap(({ calls }) => calls)));
  const begun = events[0]?.at ?? 0;
  const lines = [
    `${id} failed in ${judged.scenario.id} (${judged.scenario.title})`,
    `${title}. ${why}`,
    '',
    ...seen.map(({ says }) => `- ${says}`),
    '',
    ...[...new Set(seen.map(({ mend = usual }) => mend))].map((mend) => `Mend: ${mend}`),
    `What is right: ${citedFor(id)}`,
    '',
    ...events.map(
      ({ at, text, isMeant = false }) => `${isMeant ? '>' : ' '} ${seconds(at - begun).padStart(9)}  ${text}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
