import type { Description } from '#contract/description.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { driftIn } from '#server/drift/timeline.ts';
import { Failure } from '#server/failure.ts';
import type { Handlers } from './handlers.ts';

/** The description by the service's address; making it takes a tenth of a second. */
const made = new Map<string, Description>();
const mostMade = 20;

function describe(url: string): Description {
  const known = made.get(url);
  if (known) return known;
  if (made.size >= mostMade) made.clear();
  const document = JSON.parse(JSON.stringify(serviceOpenApi(url))) as Description; // it has these members
  made.set(url, document);
  return document;
}

/** The handlers for the description of the service, and for what differs from it in the timeline. */
export const descriptionHandlers = {
  getDescription: ({ config }) => Promise.resolve(describe(config.upstream.baseUrl)),
  async getDrift({ timeline }, { query: { entry } }) {
    const entries = await timeline.list();
    if (entry === undefined) return { data: driftIn(entries) };
    const found = [...entries, ...(await timeline.about(entry))].find(({ id }) => id === entry);
    if (!found) throw new Failure('not-found', `The timeline has no entry ${entry}.`);
    return { data: driftIn([found]) };
  },
} satisfies Partial<Handlers>;
