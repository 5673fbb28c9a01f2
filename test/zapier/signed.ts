import { createHmac } from 'node:crypto';
import { brand } from '../../shared/brand.ts';

/** A header of the service under the name that Zapier gives it. */
export const header = (name: string) => `Http-${brand.headerPrefix}-${name}`;

/** The headers of a genuine delivery. Computed here and not by the core, as an independent check. */
export const signed = (content: string, secret: string): Record<string, string> => ({
  [header('Signature')]: `sha256=${createHmac('sha256', secret).update(content).digest('hex')}`,
  [header('Event')]: 'BOOKING_CREATED',
});
