import { faultKinds, faultPlaces } from '#contract/faults.ts';
import type { ListedDifference } from '#contract/description.ts';
import type { FaultRule } from '#contract/controlShapes.ts';

/** The rule of the fault lab that makes the sandbox differ in the same way, always; or why there is none. */
export type DriftFault = { rule: FaultRule; reason?: undefined } | { rule?: undefined; reason: string };

type Told = Pick<ListedDifference, 'call' | 'path' | 'expected' | 'came'>;

const { options } = faultKinds.call.changed;

/** Where the fault happens: at a call, or at a webhook of this type, or of any. */
function placeOf(call: string): { on: 'call' | 'webhook'; of: string } | undefined {
  const [first = '', type] = call.split(' ');
  const [on, of = 'any'] = first === 'webhook' ? (['webhook', type] as const) : (['call', first] as const);
  return of === 'any' || faultPlaces[on].some((place) => place === of) ? { on, of } : undefined;
}

/** What came, in the words of the fault: a media type alone stands for a body that is not JSON. */
const wordsOf = ({ expected, came }: Told): string =>
  expected.startsWith('the type ') && came !== 'no type' ? `type ${came}` : came;

/** Turns a difference from the description into a fault, to try a program against a service that answers so. */
export function faultOf(told: Told): DriftFault {
  const place = placeOf(told.call);
  if (!place) return { reason: `The fault lab has no faults for ${told.call}.` };
  const { path } = told;
  const came = wordsOf(told);
  if (path.length > options.path.longest) return { reason: 'Its place is longer than a fault may name.' };
  if (!options.came.form.pattern.test(came) || came.length > options.came.longest)
    return { reason: `The sandbox cannot answer with ${came}.` };
  const rule = { ...place, fault: { kind: 'changed', path, came }, times: 'always', probability: 1, seed: 1 } as const;
  return { rule };
}
