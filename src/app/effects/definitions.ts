import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import { loadCompiler } from '#rules/pattern.ts';
import { call, type Request } from '../client/client.ts';
import { chunkFailure, importWithRetry } from '../client/importWithRetry.ts';

const notLoaded = (detail: string): Problem => ({
  type: 'about:blank',
  title: chunkFailure,
  status: 0,
  detail: `The code that checks values against the rules of providers could not be loaded. ${detail}`,
  code: 'console-unreachable',
});

function reject({ cause }: Error): never {
  throw notLoaded(cause instanceof Error ? cause.message : ''); // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
}

/** Reads definitions for a form, together with the code that compiles the regexes of their rules. */
export async function definitions<C extends 'getProvider' | 'getProviders' | 'getFileFormats' | 'getLocalInstruments'>(
  name: C,
  request: Request<C>,
): Promise<Answer<C>> {
  const [answer] = await Promise.all([call(name, request), importWithRetry(loadCompiler).catch(reject)]);
  return answer;
}
