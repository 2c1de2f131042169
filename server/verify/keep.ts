import { constants } from 'node:fs';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { harOf } from '#server/timeline/har.ts';
import { UnwrittenError, writeText } from '../reportFile.ts';
import { header } from '#server/upstream/wire.ts';
import { scenarios } from './scenarios/index.ts';
import { transcriptOf } from './transcript.ts';
import type { Judged } from './verification.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A call in the form of the console's timeline. */
const entryOf = (call: RecordedCall, url: string): TimelineEntry => ({
  id: String(call.number),
  kind: 'program',
  interactionId: call.headers[header.interaction] ?? '',
  at: new Date(call.at).toISOString(),
  ms: call.ms,
  journey: '',
  step: '',
  name: call.operation,
  method: call.method,
  url: `${url}${call.path}${call.query === '' ? '' : `?${call.query}`}`,
  status: call.status,
  reason: call.status === 0 ? 'The connection was closed without a response' : '',
  attempt: 1,
  signature: '',
  baseString: '',
  answers: '',
  wrong: [...call.mistakes],
  ...(call.fault !== undefined && { fault: call.fault }),
  request: { headers: { ...call.headers }, body: call.body, bytes: bytesOf(call.body) },
  response: { headers: { ...call.response.headers }, body: call.response.body, bytes: bytesOf(call.response.body) },
});

/** The files that are kept of a scenario. */
const kept = /^(calls\.har|(timeline|webhooks|batches|runs)\.json|output-\d+\.txt|failed-[a-z-]+\.txt)$/;

/** Removes what an earlier verification has kept of a scenario. Rejects with UnwrittenError if anything else is there. */
async function removeEarlier(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UnwrittenError(`--keep ${folder}`, error);
  });
  if (!names) return;
  const other = names.find((name) => !kept.test(name));
  if (other !== undefined)
    throw new UnwrittenError(
      `--keep ${folder}`,
      new Error(`${other} in it is of no verification; give another folder`),
    );
  await rm(folder, { recursive: true });
}

/** Makes the folder in which scenarios are kept, without those of an earlier verification. */
export async function makeKeep(folder: string): Promise<void> {
  await makeKeepFolder(folder);
  for (const { id } of scenarios) await removeEarlier(join(folder, id));
}

/** Makes a folder in which something is kept. Rejects with UnwrittenError if nothing can be written there. */
async function makeKeepFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new UnwrittenError(`--keep ${folder}`, error);
  }
}

/**
 * Writes what was recorded in a scenario into its folder: calls as HAR, timeline, webhooks, batches and output, and what led
 * to each failed check.
 */
export async function keepScenario(judged: Judged, keep: string, url: string): Promise<void> {
  const { scenario, evidence, outputs, verdicts } = judged;
  const folder = join(keep, scenario.id);
  await makeKeepFolder(folder);
  const entries = evidence.calls.map((call) => entryOf(call, url));
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const files: Record<string, string> = {
    'calls.har': json(harOf(entries, url, '1')),
    'timeline.json': json(entries),
    'webhooks.json': json(evidence.webhooks),
    'batches.json': json(evidence.batches),
    'runs.json': json(evidence.runs),
  };
  outputs.forEach((text, index) => (files[`output-${index + 1}.txt`] = text));
  for (const { check, verdict } of verdicts)
    if (verdict.verdict === 'failed') files[`failed-${check.id}.txt`] = transcriptOf(judged, check, verdict.seen);
  await Promise.all(Object.entries(files).map(([name, text]) => writeText(join(folder, name), text)));
}
