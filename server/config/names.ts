/** Returns in how many letters two names differ: added, left out, changed or exchanged with the next one. */
function editDistance(one: string, other: string): number {
  let [before, previous]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        previous![column]! + 1,
        current[column - 1]! + 1,
        previous![column - 1]! + (isSame ? 0 : 1),
        isExchanged ? before![column - 2]! + 1 : Infinity,
      );
    }
    [before, previous] = [previous, current];
  }
  return previous!.at(-1)!;
}

/** How many letters of a known name may be wrong for a name to be taken for it; in short names more would be chance. */
const tolerance = ({ length }: string): number => (length < 8 ? 1 : length < 12 ? 2 : 3);

/** Variables of other programs whose names are near known ones. */
const ofOthers = [
  'FTP_PROXY',
  'WS_PROXY',
  'WSS_PROXY',
  'ALL_PROXY',
  'RSYNC_PROXY',
  'SOCKS_PROXY',
  'GOPROXY',
  'GONOPROXY',
];

/**
 * Returns the known name that an unknown one was probably meant as; undefined if there is none. Case, hyphens and missing
 * underscores count as nothing.
 */
export function meantName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || ofOthers.includes(name.toUpperCase())) return undefined;
  const bare = (text: string) => text.toUpperCase().replaceAll(/[-_.]/g, '');
  const near = known
    .map((each) => ({ each, distance: editDistance(bare(name), bare(each)) }))
    .filter(({ each, distance }) => distance <= tolerance(each))
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.each;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Names of variables that other programs read as well, by their lower-case names first. */
const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** Returns the variables with those of proxies under their upper-case names. */
export function withProxyNames(variables: Variables): Variables {
  const lower = proxyNames.map((name) => [name.toLowerCase(), name] as const);
  const found = lower.flatMap(([from, to]) => (variables[from] === undefined ? [] : [[to, variables[from]]]));
  const rest = Object.entries(variables).filter(([name]) => !lower.some(([from]) => from === name));
  return Object.fromEntries([...rest, ...(found as [string, string][])]);
}
