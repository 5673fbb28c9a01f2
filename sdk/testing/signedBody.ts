import { headerName } from '../../shared/webhooks/headers.ts';
import type { Secret } from '../../shared/webhooks/signatureHeader.ts';
import { sign } from '../webhooks/signature.ts';

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
