import { lettersWrong } from '#server/similarNames.ts';

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
    .map((each) => ({ each, wrong: lettersWrong(bare(name), bare(each)) }))
    .filter(({ each, wrong }) => wrong <= tolerance(each))
    .sort((one, other) => one.wrong - other.wrong);
  return near[0]?.each;
}

/**
 * Whether a variable is one that Kubernetes adds to a container for a Service, which may have any name: its address, such
 * as `tcp://10.0.0.11:80` in SANDBOX_PORT, and the parts of it (https://kubernetes.io/docs/concepts/services-networking/service/).
 */
export const isOfService = (name: string, value = ''): boolean =>
  /_SERVICE_(HOST|PORT(_.+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));

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
