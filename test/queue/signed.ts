import { createHmac } from 'node:crypto';
import * as z from 'zod/v4';
import type { N8nSession } from '../../tools/rigs/n8n/session.ts';
import { getWorkflow } from '../../tools/rigs/n8n/workflows.ts';
import type { Delivery } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';

const Kept = z.looseObject({
  staticData: z.record(z.string(), z.record(z.string(), z.looseObject({ signing_secret: z.string().optional() }))),
});

/** The signing secret that a published trigger keeps in n8n's database. */
export async function keptSecret(session: N8nSession, workflowId: string, trigger: string): Promise<string> {
  const slots = Object.values(Kept.parse(await getWorkflow(session, workflowId)).staticData[`node:${trigger}`] ?? {});
  const [secret] = slots.flatMap(({ signing_secret }) => signing_secret ?? []);
  if (secret === undefined) throw new Error(`n8n keeps no signing secret of '${trigger}'.`);
  return secret;
}

/** Sends a delivery of the service's log to another address, signed with a secret, or with whatever signature is given. */
export async function send(
  { body, event, id, created_at }: Delivery,
  to: string,
  signature: { secret: string } | string | undefined,
): Promise<number> {
  const value = typeof signature === 'object' ? `sha256=${createHmac('sha256', signature.secret).update(body).digest('hex')}` : signature;
  const headers = {
    'content-type': 'application/json',
    [`${brand.headerPrefix}-Event`]: event,
    [`${brand.headerPrefix}-Delivery-ID`]: id,
    [`${brand.headerPrefix}-Timestamp`]: created_at,
    ...(value === undefined ? {} : { [`${brand.headerPrefix}-Signature`]: value }),
  };
  const response = await fetch(to, { method: 'POST', body, headers });
  await response.body?.cancel();
  return response.status;
}
