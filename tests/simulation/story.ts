/** The exchanges of a trace, as arrows of a sequence diagram. */
const arrows: readonly [pattern: RegExp, arrow: string][] = [
  [/^(\w+ \S+) arrives at the console$/, 'User->>Console'],
  [/^(\w+ \S+) arrives at the service$/, 'Console->>Service'],
  [/^(\d+ for \w+ \S+) arrives at console \d+$/, 'Service-->>Console'],
  [/^(\d+ for \w+ \S+) reaches the user$/, 'Console-->>User'],
  [/^(webhook \S+ is answered with \d+)$/, 'Service->>Console'],
];

/** Returns a trace as a sequence diagram in the syntax of Mermaid; accidents and what users read are notes. */
export function diagramOf(lines: readonly string[]): string {
  const steps = lines.flatMap((line) => {
    const [, text = ''] = /^\d+ (.*)$/.exec(line) ?? [];
    for (const [pattern, arrow] of arrows) {
      const found = pattern.exec(text);
      if (found) return [`${arrow}: ${found[1]}`];
    }
    return text.startsWith('*') || text.startsWith('the user')
      ? [`Note over User,Service: ${text.replace(/^\* /, '').replaceAll(/[;:#]/g, ',')}`]
      : [];
  });
  return [
    'sequenceDiagram',
    '  participant User',
    '  participant Console',
    '  participant Service',
    ...steps.map((step) => `  ${step}`),
  ].join('\n');
}
