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

/** Whether a network is one of all addresses, such as 0.0.0.0/0. */
export const isEverything = (network: string): boolean => partsOf(network)[1] === 0;

/** Returns a function that tells whether an address is among these addresses and networks. */
export function within(networks: readonly string[]): (address: string) => boolean {
  // A list that is empty is looked through at every request, and takes as long as all other checks.
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = partsOf(network);
    list.addSubnet(address, bits, family(address));
  }
  return (address) => {
    const plain = addressIn(address);
    return plain !== undefined && list.check(plain, family(plain));
  };
}

/**
 * What one client has of addresses: an IPv4 address, or of IPv6 a network of 64 bits. The address is one that `addressIn`
 * has returned.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/** The longest text of an address: of IPv6 with an IPv4 part (45), a zone, brackets and a port. */
const longest = 80;

/**
 * The IP address in a text, which may have a port, and IPv6 brackets. The same address always has the same text: an IPv4
 * one also where it came as ::ffff:203.0.113.7, as a socket for both families reports it. Undefined if there is none.
 */
export function addressIn(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const [, bracketed, withPort] = /^(?:\[(.*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? withPort ?? text;
  if (isIP(address) !== 6) return isIP(address) === 4 && bracketed === undefined ? address : undefined;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}
