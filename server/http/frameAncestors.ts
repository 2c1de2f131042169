const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const portOf = ({ port, protocol }: URL): string => port || (defaultPorts[protocol] ?? '');

/** A scheme permits itself, and http permits https as well. */
const permitsScheme = (scheme: string, { protocol }: URL): boolean =>
  protocol === scheme || (scheme === 'http:' && protocol === 'https:');

const hostSource = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[^/:*]+|\[[^\]]+\])(?::(\d+|\*))?(?:\/.*)?$/;

/** Whether a source of the directive frame-ancestors matches the page around the frame (CSP 3, section 6.7.2). */
function permits(source: string, framed: URL, around: URL): boolean {
  if (source === '*') return true;
  if (source === "'self'") return around.origin === framed.origin;
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) return permitsScheme(source, around);
  const [, scheme = framed.protocol, host = '', port] = hostSource.exec(source) ?? [];
  if (host === '' || !permitsScheme(scheme, around)) return false;
  const isHost = host.startsWith('*') ? around.hostname.endsWith(host.slice(1)) : around.hostname === host;
  return isHost && (port === '*' || portOf(around) === (port ?? defaultPorts[around.protocol]));
}

/** The sources of the first frame-ancestors of each policy that has one. */
const ancestorsIn = (policies: string): string[][] =>
  policies
    .toLowerCase()
    .split(',')
    .flatMap((policy) => {
      const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
      const found = directives.find(([name]) => name === 'frame-ancestors');
      return found ? [found.slice(1)] : [];
    });

/**
 * The header by which the answer `framed` refuses to be shown in a frame of the page at `around`; '' if none does. As in
 * browsers, frame-ancestors replaces X-Frame-Options.
 */
export function refusingHeader(headers: Headers, framed: URL, around: URL): string {
  const ancestors = ancestorsIn(headers.get('content-security-policy') ?? '');
  const refusing = ancestors.find((sources) => !sources.some((source) => permits(source, framed, around)));
  if (refusing) return `Content-Security-Policy: frame-ancestors ${refusing.join(' ')}`.trim();
  if (ancestors.length > 0) return '';
  const options = (headers.get('x-frame-options') ?? '').toLowerCase().split(',');
  const isRefused = options.some((each) => {
    const option = each.trim();
    return option === 'deny' || (option === 'sameorigin' && framed.origin !== around.origin);
  });
  return isRefused ? `X-Frame-Options: ${headers.get('x-frame-options') ?? ''}` : '';
}
