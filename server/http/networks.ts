import { BlockList, isIP, SocketAddress } from 'node:net';

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const partsOf = (network: string): [address: string, bits: number] => {
  const [address = '', bits] = network.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return [address, bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN];
};

/** Whether a text is an IP address or a network such as 203.0.113.0/24. */
export function isNetwork(network: string): boolean {
  const [address, bits] = partsOf(network);
  return isIP(address) !== 0 && bits >= 0 && bits <= (isIP(address) === 6 ? 128 : 32);
}

/** Returns an address as 128 binary digits; an IPv4 address as its IPv4-mapped IPv6 address. */
function digitsOf(address: string): string {
  const inBinary = (part: string, base: number, length: number) =>
    parseInt(part, base).toString(2).padStart(length, '0');
  const digits4 = (text: string) =>
    text
      .split('.')
      .map((part) => inBinary(part, 10, 8))
      .join('');
  if (isIP(address) === 4) return '0'.repeat(80) + '1'.repeat(16) + digits4(address);
  const dotted = /[\d.]+\.\d+$/.exec(address)?.[0] ?? '';
  const groups = address.slice(0, address.length - dotted.length).replace(/(?<!:):$/, '');
  const [head = '', tail = ''] = groups.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => inBinary(group, 16, 16))
      .join(''),
  );
  const end = tail + (dotted && digits4(dotted));
  return head + '0'.repeat(128 - head.length - end.length) + end;
}

/** Binary prefixes of all IPv4 addresses (mapped) and of all routed IPv6 addresses. */
const everybody = [digitsOf('0.0.0.0').slice(0, 96), digitsOf('2000::').slice(0, 3)];

/** Whether networks together cover all of IPv4 or IPv6, such as 0.0.0.0/1 and 128.0.0.0/1. */
export function includesEverybody(networks: readonly string[]): boolean {
  const beginnings = networks.filter(isNetwork).map((network) => {
    const [address, bits] = partsOf(network);
    return digitsOf(address).slice(0, isIP(address) === 6 ? bits : 96 + bits);
  });
  const haveAll = (beginning: string): boolean =>
    beginnings.some((each) => beginning.startsWith(each)) ||
    (beginnings.some((each) => each.startsWith(beginning)) && haveAll(`${beginning}0`) && haveAll(`${beginning}1`));
  return everybody.some(haveAll);
}

/** Returns a function that tells whether an address is among these addresses and networks. */
export function isInNetwork(networks: readonly string[]): (address: string) => boolean {
  // Checking an empty BlockList would take as long as all other checks of a request.
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = partsOf(network);
    list.addSubnet(address, bits, family(address));
  }
  return (address) => {
    const plain = clientNetwork(address);
    return plain !== undefined && list.check(plain, family(plain));
  };
}

/**
 * Returns the address range of one client: an IPv4 address, or the /64 network of an IPv6 address. `address` comes from
 * `clientNetwork`.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/** Maximum length of an address: IPv6 with an IPv4 part (45), a zone, brackets and a port. */
const maximumLength = 80;

/**
 * Returns the IP address in a text, without a port or IPv6 brackets, in canonical form: IPv4-mapped addresses such as
 * ::ffff:203.0.113.7, which dual-stack sockets report, become IPv4. Undefined if the text holds no address.
 */
export function clientNetwork(text: string): string | undefined {
  if (text.length > maximumLength) return undefined;
  const [, bracketed, withPort] = /^(?:\[(.*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? withPort ?? text;
  if (isIP(address) !== 6) return isIP(address) === 4 && bracketed === undefined ? address : undefined;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Whether a host name or address is a loopback one, reachable only from this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

/** The URL of a server that listens on `host`; for a server that listens on all addresses, its loopback URL. */
export function localUrl(host: string, port: number | string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
