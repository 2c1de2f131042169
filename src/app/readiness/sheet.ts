import type { FailureCode } from '#contract/problem.ts';
import type { Chart } from '#machines/chart.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import type { Met } from './met.ts';

/** A line of the sheet: what there is to meet, in words. */
interface Line {
  name: string;
  met: boolean;
}

/** A part of the sheet, such as the states of a journey. */
export interface Part {
  title: string;
  lines: readonly Line[];
}

interface Known {
  /** The charts of the journeys, in the order of the sheet. */
  charts: readonly { journey: JourneyId; chart: Chart }[];
  /** All failures, by their codes, with their causes. */
  failures: Readonly<Record<FailureCode, { cause: string }>>;
  /** The scenarios and why each went wrong last, '' if it was right; undefined if it was not rehearsed. */
  scenarios: readonly { name: string; because: string | undefined }[];
}

/** The states in which a journey can be seen: those without others inside, and not those that only decide. */
const seenStates = ({ states }: Chart) =>
  states.filter(({ id, kind }) => kind !== 'deciding' && !states.some(({ parent }) => parent === id));

/** Makes the readiness sheet: capabilities, failures, scenarios, then the states of each journey. */
export function sheetOf({ states, failures }: Met, known: Known): Part[] {
  const isMet = (journey: JourneyId, id: string) => states[journey]?.includes(id) ?? false;
  const ends = (chart: Chart) => {
    const done = seenStates(chart).filter(({ kind }) => kind === 'done');
    // A journey that only shows something has no end: it is met once it has shown that.
    return done.length > 0 ? done : seenStates(chart).filter(({ kind }) => kind === 'open');
  };
  return [
    {
      title: 'Capabilities: journeys done, or shown',
      lines: known.charts.map(({ journey, chart }) => ({
        name: nameOf(journey),
        met: ends(chart).some(({ id }) => isMet(journey, id)),
      })),
    },
    {
      title: 'Failures',
      lines: Object.entries(known.failures).map(([code, { cause }]) => ({
        name: cause,
        met: failures.includes(code as FailureCode), // the table's own keys
      })),
    },
    {
      title: 'Scenarios that went as they should',
      lines: known.scenarios.map(({ name, because }) => ({ name, met: because === '' })),
    },
    ...known.charts.map(({ journey, chart }) => ({
      title: `States of ${nameOf(journey)}`,
      lines: seenStates(chart).map(({ id, name, description }) => ({
        name: description || name,
        met: isMet(journey, id),
      })),
    })),
  ];
}

export const metOf = ({ lines }: Part): number => lines.filter(({ met }) => met).length;

/** The sheet as Markdown, made at this ISO time. */
export const textOf = (sheet: readonly Part[], at: string): string =>
  [
    '# Readiness',
    `What the user of this browser has met in the console until ${at}, and what is left.`,
    ...sheet.flatMap((part) => [
      `## ${part.title} (${metOf(part)} of ${part.lines.length})`,
      part.lines.map(({ name, met }) => `- [${met ? 'x' : ' '}] ${name}`).join('\n'),
    ]),
    '',
  ].join('\n\n');
