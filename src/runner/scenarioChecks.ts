import type { Facts } from '#contract/facts.ts';
import type { LabBatch, SentWebhook } from '#contract/lab.ts';
import type { KeptRule } from '#contract/controlShapes.ts';
import { counted } from '#rules/counted.ts';
import type { Walked } from './runJourney.ts';

/** What has happened in a scenario since its situation was established. */
export interface Seen {
  /** The journeys, in order. */
  walked: readonly Walked[];
  before: Facts;
  facts: Facts;
  /** The batches that the sandbox has received. */
  batches: readonly LabBatch[];
  /** The webhooks that the sandbox has sent. */
  webhooks: readonly SentWebhook[];
  /** The rules of the lab, with how often the fault of each happened. */
  rules: readonly KeptRule[];
}

/** The checks of scenarios: each returns what is wrong, in sentences; [] if it holds. */

export const unless = (holds: boolean, sentence: string): string[] => (holds ? [] : [sentence]);

export const paid = (batches: Seen['batches'], times: number): string[] =>
  unless(
    batches.length === times,
    `The sandbox has ${counted(batches.length, 'new batch', 'new batches')}, and should have ${times}`,
  );

/** Requires that the fault of each rule has happened; otherwise the scenario proves nothing. */
export const happened = ({ rules }: Seen): string[] =>
  rules.flatMap(({ happened, fault: { kind } }) => unless(happened > 0, `The fault ${kind} has not occurred`));

export const ended = ({ walked }: Seen, journey: string, end: Walked['end']): string[] => {
  const last = walked.findLast((each) => each.journey === journey);
  return unless(last?.end === end, `${journey} is ${last?.end}${last?.because && `: ${last.because}`}, not ${end}`);
};

export const passed = ({ walked }: Seen, journey: string, state: string): string[] =>
  unless(
    walked.some((each) => each.journey === journey && each.states.includes(state)),
    `${journey} has not been ${state}`,
  );

export const oneMore = (what: string, now: number, before: number): string[] =>
  unless(now === before + 1, `The console has ${now} where it should have ${before + 1}: ${what}`);

export const statusOf = ({ facts }: Seen): string => facts.subscription?.status ?? 'not there';
