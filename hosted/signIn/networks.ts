import { BlockList, isIP } from 'node:net';

/** Networks that nobody outside reaches, or that are not one machine (IANA's special-purpose registries). */
const inside = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, bits, 'ipv4');

/** Only global unicast is outside, and of it not what carries or translates other addresses. */
const outside6 = new BlockList();
outside6.addSubnet('2000::', 3, 'ipv6');
const inside6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside6.addSubnet(network, bits, 'ipv6');

/** Whether an address belongs to this machine or a network that only its neighbours reach. */
export const isInside = (address: string): boolean =>
  isIP(address) === 4 ? inside.check(address, 'ipv4') : !outside6.check(address, 'ipv6') || inside6.check(address, 'ipv6');
