import type { FailureCode } from '#contract/problem.ts';
import type { Chart } from '#machines/lib/chart.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import type { SeenStates } from '../console/seenStates.ts';

/** A line of the sheet: a state, failure or scenario in words. */
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
  /**
   * The scenarios with the result of the last rehearsal: '' if it was right, otherwise what went wrong; undefined if it
   * was not rehearsed.
   */
  scenarios: readonly { name: string; because: string | undefined }[];
}

/** The states in which a journey can be seen: innermost ones, except those that are left immediately. */
const seenStates = ({ states }: Chart) =>
  states.filter(({ id, kind }) => kind !== 'deciding' && !states.some(({ parent }) => parent === id));

/** Builds the readiness sheet: capabilities, failures, scenarios, then the states of each journey. */
export function sheetOf({ states, failures }: SeenStates, known: Known): Part[] {
  const isMet = (journey: JourneyId, id: string) => states[journey]?.includes(id) ?? false;
  const ends = (chart: Chart) => {
    const done = seenStates(chart).filter(({ kind }) => kind === 'done');
    // A journey without an end counts as done once one of its open states was seen.
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
      title: 'Passed scenarios',
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

/** The sheet as Markdown; `at` is the ISO time of its creation. */
export const textOf = (sheet: readonly Part[], at: string): string =>
  [
    '# Readiness',
    `Seen in this browser until ${at}.`,
    ...sheet.flatMap((part) => [
      `## ${part.title} (${metOf(part)} of ${part.lines.length})`,
      part.lines.map(({ name, met }) => `- [${met ? 'x' : ' '}] ${name}`).join('\n'),
    ]),
    '',
  ].join('\n\n');
