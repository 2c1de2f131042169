import type { Facts } from '#contract/facts.ts';
import { missingExamples } from '#machines/settings/changes.ts';
import { call } from '../client/client.ts';
import { likeExamples } from '../client/drafts.ts';
import { resource } from './resource.ts';

/** Begins the guided path with the examples of the sandbox; `facts` are what the page shows. */
interface TakeExamples {
  act: 'take';
  facts: Facts;
}

const missing = ({ facts }: TakeExamples) => missingExamples({ facts, queue: [] });

/** The settings, of which those with an example are still to be set. All examples are saved, or none. */
export const exampleStart = resource({
  kind: { permits: (act: TakeExamples) => missing(act).length > 0, changesFacts: () => true },
  async act(take: TakeExamples, signal) {
    const body = Object.fromEntries(missing(take).map(({ key, value }) => [key, value]));
    await call('changeSettings', { body, signal });
    likeExamples();
    return null;
  },
});
