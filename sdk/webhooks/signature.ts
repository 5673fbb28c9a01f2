import { headerName } from '../../shared/webhooks/headers.ts';
import { readSignature, signaturePrefix, type Secret, type Verdict } from '../../shared/webhooks/signatureHeader.ts';

const encoder = new TextEncoder();
const bytesOf = (data: Secret): Uint8Array<ArrayBuffer> =>
  typeof data === 'string' ? encoder.encode(data) : (data as Uint8Array<ArrayBuffer>);

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (digits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: digits.length / 2 }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16));

/** Web Crypto, which every supported runtime has, compares in constant time. */
const keyOf = (secret: Secret) =>
  crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** Checks the signature of a raw body, before it is parsed, and says what is wrong with it. The same as `verify` of the core. */
export async function verdictOn(rawBody: Uint8Array | string, header: string | undefined, secret: Secret | undefined): Promise<Verdict> {
  const read = readSignature(header, secret);
  if (typeof read === 'string') return read;
  const isGenuine = await crypto.subtle.verify('HMAC', await keyOf(read.secret), fromHex(read.digest), bytesOf(rawBody));
  return isGenuine ? 'valid' : 'mismatch';
}

/** The signature of a raw body. The same as `sign` of the core. */
export const sign = async (rawBody: Uint8Array | string, secret: Secret): Promise<string> =>
  signaturePrefix + toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), bytesOf(rawBody))));

/** A delivery as the service sends it: a POST with these headers and exactly this body. */
export interface TestDelivery {
  headers: Record<string, string>;
  body: string;
}

/** The delivery of a body that is not signed yet. */
export async function signedBody(
  event: string,
  content: { created_at: string; event?: string; data?: object },
  secret: Secret,
  deliveryId = `dlv_${crypto.randomUUID()}`,
): Promise<TestDelivery> {
  const body = JSON.stringify(content);
  return {
    headers: {
      'content-type': 'application/json',
      [headerName('Event')]: event,
      [headerName('Delivery-ID')]: deliveryId,
      [headerName('Timestamp')]: content.created_at,
      [headerName('Signature')]: await sign(body, secret),
    },
    body,
  };
}
