import { strToU8, zipSync } from 'fflate';
import { stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { redactor } from './redact.ts';

/** The contents of a support bundle. */
interface Case {
  timeline: readonly TimelineEntry[];
  har: object;
  facts: unknown;
  /** The rules of the provider of the selected subscription. */
  rules: unknown;
  versions: Readonly<Record<string, string>>;
}

/** The last state of each journey that made a call, in order of the journeys' last calls. */
function statesIn(timeline: readonly TimelineEntry[]) {
  const last = new Map<string, { journey: string; state: string; at: string }>();
  for (const { journey, step, at } of timeline) {
    if (journey === '') continue;
    last.delete(journey);
    last.set(journey, { journey, state: step, at });
  }
  return [...last.values()];
}

/**
 * Returns the support bundle, a zip of JSON files. Facts and rules are redacted with `secrets`; the timeline was
 * redacted when it was stored.
 */
export function bundleOf({ timeline, har, facts, rules, versions }: Case, secrets: readonly string[]): Buffer {
  const file = (value: unknown) => strToU8(stringify(value, 2));
  const redact = redactor(secrets);
  const clean = (value: unknown) => strToU8(redact.text(stringify(value, 2)));
  const files = {
    'timeline.json': file(timeline),
    'timeline.har': file(har),
    'facts.json': clean(facts),
    'rules.json': clean(rules),
    'versions.json': file(versions),
    'states.json': file(statesIn(timeline)),
  };
  // Low compression, because compressing blocks all other requests.
  return Buffer.from(zipSync(files, { level: 1 }));
}
