import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import { loadCompiler } from '#rules/pattern.ts';
import { call, type Request } from '../client/client.ts';
import { chunkFailure, importWithRetry } from '../client/importWithRetry.ts';
import { maximumPayments } from '#contract/constants.ts';
import type { Rule } from '#contract/lookup.ts';
import type { Facts } from '#contract/facts.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { allRules, instrumentOf } from '#rules/merge.ts';

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

/** The terms of the current subscription's provider. */
interface Terms {
  /** All its rules, including those of its local instruments. */
  rules: Rule[];
  /** Maximum number of payments in a batch: the provider's limit, else the service's (wire, section 13). */
  maximumPayments: number;
  /** The name of the local instrument by which it pays; '' if that is not known. */
  instrument: string;
}

/**
 * Reads the terms of the current subscription's provider. Without a provider, returns no rules and the service's limit;
 * the gate for the missing provider is then shown.
 */
export async function providerTerms({ provider, settings }: Facts, signal: AbortSignal): Promise<Terms> {
  if (!provider) return { rules: [], maximumPayments, instrument: '' };
  const [{ data }, instruments] = await Promise.all([
    definitions('getProvider', { params: { providerId: provider.providerId }, signal }),
    definitions('getLocalInstruments', { signal }),
  ]);
  const rules = spoken(allRules(data, instruments.data), languageOf(data, settings.acceptLanguage));
  return {
    rules,
    maximumPayments: data.maximumPaymentCount ?? maximumPayments,
    instrument: instrumentOf(data, instruments.data),
  };
}
