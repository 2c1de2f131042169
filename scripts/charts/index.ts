import { kinds } from '#app/charts/stateKinds.ts';
import { journeyOf, journeyOrder, nameOf, type JourneyId } from '#machines/journeys.ts';

const kindRows = Object.values(kinds).map(({ mark, word }) => `| ${mark} | ${word} |`);

const section = (id: JourneyId): string =>
  `## ${nameOf(id)}\n\n${journeyOf(id).summary} Page \`${journeyOf(id).path}\`.\n\n![Chart of ${id}](${id}.svg)\n`;

/** The page that shows all drawings, in Markdown; `digest` is that of what they were laid out from. */
export const indexOf = (digest: string): string => `# Charts

Drawn from the machines themselves by \`npm run charts\`; not written by hand. The console shows the same charts at
\`/journeys\`, with the present state lit.

Charts begin at the dot. A dashed arrow needs nobody to go along it, a red one is a call that failed.

| mark | state |
| --- | --- |
${kindRows.join('\n')}

## Map of the journeys

A full arrow is a gate, a dashed one an order that makes sense.

![Map of the journeys](map.svg)

${journeyOrder.map(section).join('\n')}
## The console

The wizard: opens a journey with the facts, hears its end, and says where the page goes.

![Chart of the console](console.svg)

## A poll

Invoked by whoever waits: asks again and again until an answer is enough.

![Chart of a poll](poll.svg)

## The fault lab

What the sandbox's fault lab does at present, and what is done to it at one press.

![Chart of the lab](lab.svg)

A form of it, such as that of a rule.

![Chart of a form of the lab](labForm.svg)

A list of it, such as that of the webhooks.

![Chart of a list of the lab](labRows.svg)

Emptying the sandbox.

![Chart of emptying the sandbox](emptying.svg)

## Programs of the user's own

The tokens with which they call through the console.

![Chart of the tokens of programs](programs.svg)

<!-- Laid out from ${digest} -->
`;
