import type { SituationFile } from '#contract/situation.ts';
import { isProblem } from '#contract/isProblem.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { situationFileMachine } from '#machines/lab/situationFile.machine.ts';
import { decodeText } from '#rules/decodeText.ts';
import { parseJson } from '#rules/json.ts';
import { call } from '../api/client.ts';
import { withLabEvent } from '../api/labEvents.ts';

export const situationFile = provideEffects(situationFileMachine, {
  async open(file) {
    if (file === null) throw new Error('No file was chosen');
    const body = parseJson(decodeText(new Uint8Array(await file.arrayBuffer()), 'The file')) as SituationFile; // the server checks it
    try {
      return (await withLabEvent(call('openSituation', { body }))).data;
    } catch (error) {
      const [first] = (isProblem(error) && error.errors) || [];
      if (!isProblem(error) || !first) throw error;
      throw { ...error, detail: `${first.path}: ${first.message}` }; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems
    }
  },
});
