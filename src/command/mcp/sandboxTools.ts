import { z } from 'zod';
import { call } from '#app/client/client.ts';
import type { Facts } from '#contract/facts.ts';
import { clockChangeSchema, faultRuleSchema, receiverSchema } from '#contract/controlShapes.ts';
import { controlCalls } from '#contract/controlCalls.ts';
import { guidedPath, isDone, journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#runner/actions.ts';
import { fileKind, fileVersion, parseWalks } from '#runner/file.ts';
import { bringAbout } from '#runner/rehearse.ts';
import type { Walked } from '#runner/runJourney.ts';
import { situations, type SituationId } from '#runner/situations.ts';
import { isHere, type Session } from './session.ts';
import { keyShape, tool, type Tool } from './tool.ts';

const situationNames = Object.keys(situations) as [SituationId, ...SituationId[]]; // its own keys

/** The ids that the console has now, and what its guided path still has to do. */
export function standingOf(facts: Facts, { sandbox }: Pick<Session, 'sandbox'>) {
  const { organisationId, companyId, providerId, subscriptionId, batchId } = facts.settings;
  return {
    sandbox,
    organisationId,
    companyId,
    providerId,
    subscriptionId,
    batchId,
    debtors: facts.debtors,
    creditors: facts.creditors,
    batches: facts.batches,
    left: guidedPath(facts).filter((journey) => !isDone(journey, facts)),
  };
}

/** The end of a journey, without the states on the way where it is done. */
const endOf = ({ journey, end, because, states, result }: Walked) => ({
  journey,
  end,
  ...(end === 'failed' && { because, states }),
  ...(result !== null && { result }),
});

/** The latest entry of the timeline, after which the entries of a run begin. */
const latestEntry = async (): Promise<string> =>
  (await call('getTimeline', { query: { limit: '1' } })).data[0]?.id ?? '0';

/** Runs journeys; returns how each ended, the ids at hand, and where their calls are. */
async function walked(session: Session, work: () => Promise<readonly Walked[]>) {
  const after = await latestEntry();
  const journeys = await work();
  const failed = journeys.find(({ end }) => end === 'failed');
  return {
    ok: failed === undefined,
    journeys: journeys.map(endOf),
    now: standingOf(await session.facts(), session),
    calls: `list_calls with since ${after} has the calls of this run`,
  };
}

/** Returns a journey as a file of journeys would name it. Throws FileError. */
const walkOf = (journey: JourneyId, values: object, choices: object): Walk[] =>
  parseWalks(JSON.stringify({ kind: fileKind, version: fileVersion, journeys: [{ journey, values, choices }] }));

const choiceSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** It is part of a path: no `..`. */
const ruleIdSchema = z.string().regex(/^[\w-]{1,100}$/, 'the ruleId of a fault, as add_fault returns it,');

/** The tools that change the sandbox. */
export const sandboxTools: readonly Tool[] = [
  tool({
    name: 'prepare_situation',
    title: 'Prepare a situation',
    says: `Creates a new organisation and brings it into a situation by a user’s journeys: ${situationNames
      .map((id) => `${id} (${situations[id].name})`)
      .join(', ')}. Removes all faults first. Returns the ids.`,
    effect: 'removes',
    input: z.strictObject({ ...keyShape, situation: z.enum(situationNames) }),
    async run({ situation }, { session, signal, tell }) {
      const opened = await session();
      return walked(opened, () =>
        opened.walk(async (walker) => (await bringAbout(situation, walker, opened.lab)).walked, signal, tell),
      );
    },
  }),
  tool({
    name: 'run_journey',
    title: 'Run a journey',
    says: 'Runs one journey of the console as its user would, or without `journey` all that is left of the guided path, from an organisation to a paid batch. What a field or a choice lacks is taken from the rules’ examples. The document journeys.md lists fields and choices.',
    effect: 'changes',
    input: z.strictObject({
      ...keyShape,
      journey: z.enum(journeyOrder as [JourneyId, ...JourneyId[]]).optional(),
      values: z.record(z.string(), z.string()).default({}).describe('values by field'),
      choices: z.record(z.string(), choiceSchema).default({}).describe('the user’s choices besides the form'),
    }),
    async run({ journey, values, choices }, { session, signal, tell }) {
      if (journey === undefined && Object.keys({ ...values, ...choices }).length > 0)
        throw new Error('values and choices belong to one journey: name it as journey');
      const walks = journey && walkOf(journey, values, choices);
      const opened = await session();
      return walked(opened, () => opened.walk((walker) => (walks ? walker.all(walks) : walker.guided()), signal, tell));
    },
  }),
  tool({
    name: 'add_fault',
    title: 'Add a fault',
    says: 'Adds a rule to the sandbox’s fault lab: what happens to which call, webhook, batch or rule, and how often. The document sandbox.md lists the faults. Example: { "on": "call", "of": "createBatch", "fault": { "kind": "answerLost" } }.',
    effect: 'changes',
    input: z.strictObject({ ...keyShape, rule: faultRuleSchema }),
    async run({ rule }, { session }) {
      return (await session()).lab.set(rule);
    },
  }),
  tool({
    name: 'remove_faults',
    title: 'Remove faults',
    says: 'Removes the fault with this ruleId, or all of them.',
    effect: 'removes',
    input: z.strictObject({ ruleId: ruleIdSchema.optional() }),
    async run({ ruleId }, { session }) {
      const { lab } = await session();
      await (ruleId === undefined ? lab.stop() : lab.remove(ruleId));
      return { faults: await lab.rules() };
    },
  }),
  tool({
    name: 'move_clock',
    title: 'Move the clock',
    says: 'Moves the sandbox’s clock by `move` ms, forward or back, stops it or lets it run (`still`). What becomes due meanwhile happens: tokens expire, batches advance, webhooks are sent.',
    effect: 'changes',
    input: z.strictObject({ ...keyShape, ...clockChangeSchema.shape }),
    async run({ move, still }, { session }) {
      await session();
      return (
        await call('changeClock', {
          body: { ...(move !== undefined && { move }), ...(still !== undefined && { still }) },
        })
      ).data;
    },
  }),
  tool({
    name: 'send_webhook',
    title: 'Send a webhook',
    says: 'Sends a signed webhook of your own to the console, and to `receiver`, a program of this machine that from now on receives every webhook as well.',
    effect: 'changes',
    input: z.strictObject({
      ...keyShape,
      ...controlCalls.sendWebhook.body.shape,
      receiver: receiverSchema.shape.url
        .refine(isHere, 'an address of this machine, such as http://127.0.0.1:4000/webhooks')
        .optional(),
    }),
    async run({ type, data, subscriptionId, receiver }, { session }) {
      const { lab } = await session();
      if (receiver !== undefined) await call('setReceiver', { body: { url: receiver } });
      return lab.send({ type, ...(data && { data }), ...(subscriptionId !== undefined && { subscriptionId }) });
    },
  }),
];
