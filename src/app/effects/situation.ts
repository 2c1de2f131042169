import type { SituationFile } from '#contract/situation.ts';
import { isProblem } from '#contract/isProblem.ts';
import { decodeText } from '#rules/decodeText.ts';
import { parseJson } from '#rules/json.ts';
import { call } from '../api/client.ts';
import { withLabEvent } from '../api/labEvents.ts';

/**
 * Opens a file with a situation of the sandbox. Resolves with the page to go to and what could not be set again; rejects
 * with an error whose message says what is wrong with the file.
 */
export async function openSituation(file: File): Promise<{ step: string; notes: readonly string[] }> {
  const body = parseJson(decodeText(new Uint8Array(await file.arrayBuffer()), 'The file')) as SituationFile; // the server checks it
  try {
    return (await withLabEvent(call('openSituation', { body }))).data;
  } catch (error) {
    if (!isProblem(error)) throw error;
    const [first] = error.errors ?? [];
    throw new Error(first ? `${first.path}: ${first.message}` : (error.detail ?? error.title), { cause: error });
  }
}
