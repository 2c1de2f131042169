import { constants } from 'node:fs';
import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { harOf } from '#server/timeline/har.ts';
import { UnwrittenError, writeText } from '../../scripts/reportFile.mjs';
import { header } from '#server/upstream/wire.ts';
import type { Judged } from './verification.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A call in the form of the console's timeline. */
const entryOf = (call: RecordedCall, url: string): TimelineEntry => ({
  ...{ id: String(call.number), kind: 'program', interactionId: call.headers[header.interaction] ?? '' },
  ...{ at: new Date(call.at).toISOString(), ms: call.ms, journey: '', step: '', name: call.operation },
  ...{ method: call.method, url: `${url}${call.path}${call.query === '' ? '' : `?${call.query}`}` },
  ...{ status: call.status, reason: call.status === 0 ? 'The connection was closed without a response' : '' },
  ...{ attempt: 1, signature: '', baseString: '', answers: '', wrong: [...call.mistakes] },
  ...(call.fault !== undefined && { fault: call.fault }),
  request: { headers: { ...call.headers }, body: call.body, bytes: bytesOf(call.body) },
  response: { headers: { ...call.response.headers }, body: call.response.body, bytes: bytesOf(call.response.body) },
});

/** Makes a folder in which something is kept. Rejects with UnwrittenError if nothing can be written there. */
export async function makeKeepFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new UnwrittenError(`--keep ${folder}`, error);
  }
}

/** Writes what was recorded in a scenario into its folder: calls as HAR, timeline, webhooks, batches and output. */
export async function keepScenario({ scenario, evidence, outputs }: Judged, keep: string, url: string): Promise<void> {
  const folder = join(keep, scenario.id);
  // What an earlier verification kept would be taken for this one's.
  await rm(folder, { recursive: true, force: true });
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
  await Promise.all(Object.entries(files).map(([name, text]) => writeText(join(folder, name), text)));
}
