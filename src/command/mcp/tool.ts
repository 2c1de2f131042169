import { isDeepStrictEqual } from 'node:util';
import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isProblem } from '#contract/isProblem.ts';
import { maskSecrets } from '#contract/secretShapes.ts';
import { readInput } from './inputErrors.ts';
import type { Session } from './session.ts';

/** The surroundings of a tool's run. */
export interface Context {
  /** The session, which starts with the first tool that needs it. */
  session: () => Promise<Session>;
  signal: AbortSignal;
  /** Tells the client that work goes on. */
  tell: (line: string) => void;
}

/**
 * What a tool does: reads; adds to the sandbox or changes it; removes something, which cannot be undone; or runs a program
 * of the user.
 */
type Effect = 'reads' | 'changes' | 'removes' | 'runs';

/** A tool as a server offers it, whatever its input. */
export interface Tool {
  name: string;
  title: string;
  says: string;
  effect: Effect;
  input: z.ZodObject;
  /** The members of the answer that are given as they are, because the tool exists to give them. */
  unmasked?: readonly string[];
  run: (input: unknown, context: Context) => Promise<unknown>;
}

/** Declares a tool. The input of `run` is what the schema has parsed. */
export const tool = <Input extends z.ZodObject>(declared: {
  name: string;
  title: string;
  says: string;
  effect: Effect;
  input: Input;
  unmasked?: readonly string[];
  run: (input: z.output<Input>, context: Context) => Promise<unknown>;
}): Tool => ({
  ...declared,
  run: (input, context) => declared.run(input as z.output<Input>, context), // `offer` has read it
});

/** The member with which a tool that changes something is called once for one intention. */
export const keyShape = {
  key: z
    .string()
    .min(8, 'at least 8 characters, such as a UUID')
    .max(200)
    .describe(
      'Idempotency key: make a new one for each intention and repeat it when the same call is repeated, which then returns the first answer and does nothing again',
    ),
};

const hints: Record<Effect, { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }> = {
  reads: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  removes: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  runs: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

/** Maximum length of an answer, which an agent reads whole. */
const longest = 12_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`;

/** Returns an answer as JSON without secrets; `unmasked` names the members that are given as they are. */
function answerText(value: unknown, unmasked: readonly string[] = []): string {
  const given = isObject(value) ? Object.entries(value).filter(([name]) => unmasked.includes(name)) : [];
  const rest = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !unmasked.includes(name)))
    : value;
  const masked = maskSecrets(JSON.stringify(rest, null, 1));
  const text =
    given.length === 0 ? masked : `${masked}\n${given.map(([name, each]) => `${name}: ${String(each)}`).join('\n')}`;
  return shortened(text);
}

/** Why a run failed, in a sentence. */
function reasonOf(error: unknown): string {
  if (isProblem(error)) {
    const { title, detail, errors = [] } = error;
    return [title, detail, ...errors.map(({ path, message }) => `${path}: ${message}`)].filter(Boolean).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}

const textOf = (text: string) => ({ type: 'text' as const, text });

/**
 * What tools were asked and what came of it, by idempotency key. The console's API has no place for it: a journey is many
 * writes with keys of their own, and the sandbox's controls take none.
 */
export type Claimed = Map<string, { asked: { tool: string; input: unknown }; answer: Promise<unknown> }>;

/**
 * Runs each intention once: a call with a known key gets the answer to the first one, also while that runs and if it has
 * failed, because what it did before it failed is not known here. Rejects if the key was used for another call.
 */
async function onceForKey(
  claimed: Claimed,
  key: string,
  asked: { tool: string; input: unknown },
  run: () => Promise<unknown>,
) {
  const known = claimed.get(key);
  if (known && !isDeepStrictEqual(known.asked, asked))
    throw new Error(`The idempotency key ${key} was used for another call: make a new key for another intention`);
  const { answer } = known ?? { answer: run() };
  if (!known) claimed.set(key, { asked, answer });
  return { answer: await answer, isRepeated: known !== undefined };
}

interface Offering {
  server: McpServer;
  session: Context['session'];
  claimed: Claimed;
  /** Ends what runs. */
  signal: AbortSignal;
  /** What runs; none of it rejects. */
  running: Set<Promise<unknown>>;
}

/** Describes a schema to clients; the server of the SDK passes on the input as it is, because `offer` reads it. */
const described = (schema: z.ZodType): StandardSchemaWithJSON => ({
  '~standard': { ...schema['~standard'], validate: (value) => ({ value }) },
});

/** Offers a tool to the client of a server. */
export function offer({ server, session, claimed, signal, running }: Offering, each: Tool): void {
  const { name, title, says, effect, input: schema, unmasked, run } = each;
  const annotations = { title, ...hints[effect], idempotentHint: effect === 'reads' || 'key' in schema.shape };
  const answer = async (given: unknown, context: Context) => {
    try {
      const input = readInput(schema, given);
      const key = input['key'] as string | undefined; // keyShape
      const { answer, isRepeated } =
        key === undefined
          ? { answer: await run(input, context), isRepeated: false }
          : await onceForKey(claimed, key, { tool: name, input }, () => run(input, context));
      const note = isRepeated ? [textOf('The answer to the first call with this key: nothing was done again.')] : [];
      return { content: [textOf(answerText(answer, unmasked)), ...note] };
    } catch (error) {
      return { content: [textOf(shortened(maskSecrets(reasonOf(error))))], isError: true };
    }
  };
  const config = { title, description: says, inputSchema: described(schema), annotations };
  server.registerTool(name, config, (given, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    let progress = 0;
    const tell = (message: string) => {
      if (token === undefined) return;
      const params = { progressToken: token, progress: (progress += 1), message };
      // A client that has gone hears nothing more; the tool's run ends by its signal.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    };
    const answered = answer(given, { session, signal: AbortSignal.any([mcpReq.signal, signal]), tell });
    running.add(answered);
    return answered.finally(() => running.delete(answered));
  });
}
