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

## Switching the subscription

Makes another authorised subscription the current one, where a page requires that.

${picture('Chart of switching the subscription', 'switching')}

## The connection

Receives the server's news. All tabs of a browser share one stream: the tab that is granted a lock holds it.

${picture('Chart of the connection', 'connection')}

## Resending a payment

Sends a payment whose outcome is unknown again, under its own idempotency key.

${picture('Chart of resending a payment', 'resendPayment')}

## Pages in frames

Shows a provider's page or the transfer page in a frame, and finds out whether it can be shown there.

${picture('Chart of a page in a frame', 'frame')}

## Actions of the palette

Runs an action that the palette (Ctrl K) offers.

${picture('Chart of the actions of the palette', 'palette')}

## Signing out

Ends the user's session, where users sign in.

${picture('Chart of signing out', 'signingOut')}

## The fault lab

The faults and the clock of the sandbox, and the actions of one press.

${picture('Chart of the lab', 'lab')}

A form of the fault lab, such as that of a rule.

${picture('Chart of a form of the lab', 'labForm')}

A list of the fault lab, such as that of the webhooks.

${picture('Chart of a list of the lab', 'labRows')}

Deleting everything from the sandbox.

${picture('Chart of emptying the sandbox', 'emptying')}

Opening a situation file, which replaces everything in the sandbox.

${picture('Chart of opening a situation file', 'situationFile')}

## Your own programs

The tokens with which programs call the service through the console.

${picture('Chart of the tokens of programs', 'programs')}

The verdict on a program, and the run of one of its scenarios.

${picture('Chart of the verdict on a program', 'verdict')}

<!-- Laid out from ${digest} -->
`;
