import { BlockList, isIP } from 'node:net';

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const partsOf = (source: string): [address: string, bits: number] => {
  const [address = '', bits] = source.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return [address, bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN];
};

/** Whether a text is an IP address or a network such as 203.0.113.0/24. */
export function isSource(source: string): boolean {
  const [address, bits] = partsOf(source);
  return isIP(address) !== 0 && bits >= 0 && bits <= (isIP(address) === 6 ? 128 : 32);
}

/** Returns a function that tells whether an address is among these addresses and networks. */
export function sourcesOf(sources: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const source of sources) {
    const [address, bits] = partsOf(source);
    list.addSubnet(address, bits, family(address));
  }
  return (address) => {
    // A dual-stack socket reports IPv4 addresses in this form.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return isIP(plain) !== 0 && list.check(plain, family(plain));
  };
}
