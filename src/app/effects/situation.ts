import { isProblem } from '#contract/isProblem.ts';
import { isObject, jsonIn } from '#contract/json.ts';
import type { SituationFile } from '#contract/situation.ts';
import {
  situationKind,
  type CheckedSituation,
  type OpenAct,
  type OpenedSituation,
} from '#machines/lab/situationFile.ts';
import { decodeText } from '#rules/decodeText.ts';
import { call } from '../client/client.ts';
import { withLabEvent } from '../client/labEvents.ts';
import { resource } from './resource.ts';

/** The largest file that is read (bytes); the server takes less. */
const mostBytes = 64 * 1024 * 1024;

/** Reads a situation. Throws an error whose message is a sentence, if the file is none. */
async function situationIn(file: File): Promise<SituationFile> {
  const none = new Error(
    `${file.name} is no situation, or not all of it: choose a file that “Save situation” has saved.`,
  );
  if (file.size > mostBytes) throw none;
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new Error(
      `${file.name} cannot be read: it is a folder, or was moved or changed since it was chosen. Choose it again.`,
    );
  }
  let value: unknown;
  try {
    value = jsonIn(decodeText(new Uint8Array(bytes), file.name));
  } catch {
    throw none;
  }
  if (!isObject(value) || value['kind'] !== 'payments-out-situation') throw none;
  return value as unknown as SituationFile; // the server checks the rest
}

/** Says of a refused file where it is wrong. Rejects as the call does. */
async function named<Answer>({ name }: File, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    const [first] = (isProblem(error) && error.errors) || [];
    if (!isProblem(error) || (!first && error.code !== 'too-large')) throw error;
    const detail = first
      ? `${name} cannot be opened, perhaps because it was changed since it was saved. ${first.path}: ${first.message}.`
      : `${name} cannot be opened: ${error.detail}`;
    throw { ...error, detail }; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems
  });
}

export const situationFile = resource({
  kind: situationKind,
  /** Refuses what is no situation, and says what opening would end. */
  async read(file: File, signal: AbortSignal): Promise<CheckedSituation> {
    const body = await situationIn(file);
    return { file, ...(await named(file, call('checkSituation', { body, signal }))).data };
  },
  async act({ file }: OpenAct): Promise<OpenedSituation> {
    if (!file) throw new Error('No file was checked.');
    const body = await situationIn(file);
    return (await named(file, withLabEvent(call('openSituation', { body })))).data;
  },
});
