import { kinds } from '#app/charts/stateKinds.ts';
import { journeyOf, journeyOrder, nameOf, type JourneyId } from '#machines/journeys.ts';

const kindRows = Object.values(kinds).map(({ mark, word }) => `| ${mark} | ${word} |`);

const picture = (words: string, id: string): string => `[![${words}](${id}.svg)](${id}.svg)`;

const line = (id: JourneyId): string => `- ${journeyOf(id).summary} Page \`${journeyOf(id).path}\`.`;

/** The section of the journeys that share a drawing. */
function section(ids: readonly JourneyId[]): string {
  const names = ids.map(nameOf).join(', ');
  return `## ${names}\n\n${ids.map(line).join('\n')}\n\n${picture(`Chart of ${names}`, ids[0] ?? '')}\n`;
}

/**
 * The page that shows all drawings, in Markdown. `shown` has the drawing of each machine, `digest` is that of what they
 * were laid out from.
 */
export const indexOf = (shown: ReadonlyMap<string, string>, digest: string): string => `# Charts

Drawn from the machines themselves by \`npm run charts\`; not written by hand. The console shows the same charts at
\`/journeys\`, with the present state lit. Journeys with the same states and transitions share a picture; choose one to see
it at its full size.

Charts begin at the dot. A dashed arrow needs nobody to go along it, a red one is a call that failed.

| mark | state |
| --- | --- |
${kindRows.join('\n')}

## Map of the journeys

A full arrow is a gate, a dashed one an order that makes sense.

${picture('Map of the journeys', 'map')}

${journeyOrder
  .filter((id) => shown.get(id) === id)
  .map((id) => section(journeyOrder.filter((each) => shown.get(each) === id)))
  .join('\n')}
## The console

Starts the journey of the page with the current facts, receives its result, and decides which page follows.

${picture('Chart of the console', 'console')}

## Messages and approvals

Machines that journeys invoke: a state with ↗ leads to one of these charts. A message is sent to the provider, whose
webhook answers it.

${picture('Chart of a message', 'message')}

An approval polls a subscription while the provider's page is open.

${picture('Chart of an approval', 'approval')}

## Switching the company

Switches to another company, adds an existing organisation, shows a signing key once, and removes deleted companies.

${picture('Chart of switching the company', 'workspace')}

## The connection

Receives the server's news. All tabs of a browser share one stream: the tab that is granted a lock holds it.

${picture('Chart of the connection', 'connection')}

## Pages in frames

Shows a provider's page or the transfer page in a frame, and finds out whether it can be shown there.

${picture('Chart of a page in a frame', 'frame')}

## Resources

Everything that a page reads, shows while it is read again, and acts on, and that is no journey: the fault lab and its
lists, a verdict, a file, the unread webhooks, a call to be sent again, the session of a user. What distinguishes one from
another are the acts that it permits.

${picture('Chart of a resource', 'resource')}

## The fault lab

A form of the fault lab, such as that of a rule.

${picture('Chart of a form of the lab', 'labForm')}

## Your own programs

The tokens with which programs call the service through the console.

${picture('Chart of the tokens of programs', 'programs')}

<!-- Laid out from ${digest} -->
`;
