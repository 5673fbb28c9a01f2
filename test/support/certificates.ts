import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate and its key, as PEM. */
interface Certified {
  cert: string;
  key: string;
}

/** A value in DER: its type, its length and its content. */
function der(type: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}

const sequence = (...content: Uint8Array[]): Buffer => der(0x30, ...content);
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content);
const text = (words: string): Buffer => der(0x0c, Buffer.from(words));
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`));

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const nameOf = (words: string): Buffer => sequence(der(0x31, sequence(identifier('550403'), text(words))));
const extension = (id: string, value: Buffer): Buffer => sequence(identifier(id), der(0x04, value));

const pem = (kind: string, content: Buffer): string =>
  [`-----BEGIN ${kind}-----`, ...(content.toString('base64').match(/.{1,64}/g) ?? []), `-----END ${kind}-----`, ''].join('\n');

function signed(issuer: { name: string; key: KeyObject }, name: string, publicKey: KeyObject, extensions: Buffer): string {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(15)),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(time(2000), time(2200)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
  return pem('CERTIFICATE', sequence(content, ecdsaWithSha256, bits(sign('sha256', content, issuer.key))));
}

/**
 * A company's own certificate authority and a certificate that it signs for a host (RFC 5280), as in networks that inspect TLS.
 *
 * @returns the company's certificate, which no system trusts, and the host's with its key
 */
export function certified(host: string): { company: string; service: Certified } {
  const [company, service] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  if (company === undefined || service === undefined) throw new Error('There are two.');
  const issuer = { name: 'A company', key: company.privateKey };
  const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([255]))));
  const hosts = extension('551d11', sequence(der(0x82, Buffer.from(host))));
  return {
    company: signed(issuer, issuer.name, company.publicKey, isAuthority),
    service: {
      cert: signed(issuer, host, service.publicKey, hosts),
      key: service.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    },
  };
}
