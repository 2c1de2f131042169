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

/** An address in 128 binary digits, an IPv4 one as the IPv6 address that it is mapped to. */
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

/** What everybody's addresses begin with in binary digits: all of IPv4, mapped, and all that are routed of IPv6. */
const everybody = [digitsOf('0.0.0.0').slice(0, 96), digitsOf('2000::').slice(0, 3)];

/** Whether networks have together all addresses of IPv4 or of IPv6, such as 0.0.0.0/1 and 128.0.0.0/1. */
export function haveEverybody(networks: readonly string[]): boolean {
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
