import type { ProgramValue } from '#contract/programShapes.ts';

/** A value as every reader of such files takes it: as it is, or in single quotes; undefined if none takes it. */
function written(value: string): string | undefined {
  if (/^[\w.:/+=@,%-]*$/.test(value)) return value;
  return /^[ -&(-~]*$/.test(value) ? `'${value}'` : undefined;
}

/** Returns a file `.env` with these values, each below where it goes. What no such file can hold is left out. */
export const environmentFile = (values: readonly ProgramValue[]): string =>
  values
    .map(({ variables, says, value }) => {
      const text = written(value);
      const lines = variables.map((name) =>
        text === undefined ? `# ${name} cannot be written here` : `${name}=${text}`,
      );
      return [`# ${says.replaceAll('`', '')}`, ...lines, ''].join('\n');
    })
    .join('\n');
