/** The exchanges of a trace, as arrows of a sequence diagram. */
const arrows: readonly [pattern: RegExp, arrow: string][] = [
  [/^(\w+ \S+) arrives at the console$/, 'User->>Console'],
  [/^(\w+ \S+) arrives at the service$/, 'Console->>Service'],
  [/^(\d+ for \w+ \S+) arrives at console \d+$/, 'Service-->>Console'],
  [/^(\d+ for \w+ \S+) reaches the user$/, 'Console-->>User'],
  [/^(webhook \S+ is answered with \d+)$/, 'Service->>Console'],
];

/** What ends a text of a diagram's syntax. */
const plain = (text: string): string => text.replace(/^\* /, '').replaceAll(/[;:#]/g, ',');

/** Returns a trace as a sequence diagram in the syntax of Mermaid; accidents and what users do and read are notes. */
export function diagramOf(lines: readonly string[]): string {
  const steps = lines.flatMap((line) => {
    const [, text = ''] = /^\d+ (.*)$/.exec(line) ?? [];
    for (const [pattern, arrow] of arrows) {
      const found = pattern.exec(text);
      if (found?.[1] !== undefined) return [`${arrow}: ${plain(found[1])}`];
    }
    return /^(\*|the user|a user|it is paid)/.test(text) ? [`Note over User,Service: ${plain(text)}`] : [];
  });
  return [
    'sequenceDiagram',
    '  participant User',
    '  participant Console',
    '  participant Service',
    ...steps.map((step) => `  ${step}`),
  ].join('\n');
}

/** The time of a line, in minutes, seconds and ms since the world began. */
const timeOf = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}.${String(ms % 1000).padStart(3, '0')}`;

/** Returns a trace in sentences, the accidents marked. */
export const sentencesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const [, ms = '0', mark = '', text = line] = /^(\d+) (\* )?(.*)$/.exec(line) ?? [];
    return `${timeOf(Number(ms)).padStart(10)} ${mark ? '!' : ' '} ${text}`;
  });
