/** The functions of `../crypto.ts` by Node.js itself, for programs that always run on Node.js and so need no substitutes. */
import { createHash, createHmac } from 'node:crypto';
import type * as Any from '../crypto.ts';

export const bytesOf: typeof Any.bytesOf = (text) => new TextEncoder().encode(text);
export const base64url: typeof Any.base64url = (bytes) => Buffer.from(bytes).toString('base64url');
export const sha256: typeof Any.sha256 = (text, form) => createHash('sha256').update(text).digest(form);
export const hmacSha256: typeof Any.hmacSha256 = (key, data) => createHmac('sha256', key).update(data).digest('hex');
