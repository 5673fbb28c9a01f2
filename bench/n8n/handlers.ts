import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IDataObject, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { brand } from '../../shared/brand.ts';
import { rememberedDeliveries } from '../../shared/webhooks/memory.ts';
import { compareBlocks, type Candidate } from '../harness/compare.ts';
import { deliveryOf } from '../material.ts';
import type { Task } from './child.ts';
import type { N8nCore } from './core.ts';

const secret = 'a signing secret of some length';
const hex = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** More than our trigger remembers, so that none is taken for a repetition of an earlier one; the others take each one every time. */
const distinct = 1.2 * rememberedDeliveries;
const forOthers = 1_000;

interface Received {
  headers: Record<string, string>;
  rawBody: Buffer;
  body: unknown;
  originalUrl: string;
  header(name: string): string | undefined;
}

function received(text: string, headers: Record<string, string>): Received {
  const all: Record<string, string> = { host: '127.0.0.1:5678', 'content-type': 'application/json', 'content-length': String(text.length), 'user-agent': 'webhooks/1', connection: 'keep-alive', ...headers };
  return { headers: all, rawBody: Buffer.from(text), body: JSON.parse(text) as unknown, originalUrl: '/webhook/5b0c/webhook', header: (name) => all[name.toLowerCase()] };
}

/** One trigger that gets one delivery after the other, each time a verified one that starts the workflow. */
function receiving(core: N8nCore, name: string, type: INodeType, parameters: IDataObject, staticData: IDataObject, requests: readonly Received[]): Candidate {
  const request = { ...(requests[0] as Received) };
  // n8n's answer, which is sent once the workflow has been started.
  const response = Object.assign(new EventEmitter(), { statusCode: 200, writableEnded: true });
  const context: IWebhookFunctions = core.receiving(type, parameters, { staticData }, { request, response });
  let next = 0;
  return {
    name,
    run: async () => {
      next = (next + 1) % requests.length;
      Object.assign(request, requests[next]);
      const started = await type.webhook?.call(context);
      response.emit('close');
      if (started?.workflowData?.[0]?.length !== 1) throw new Error(`${name} did not start the workflow with a verified delivery.`);
    },
  };
}

export interface HandlersResult {
  cost: Record<'ours' | 'calCom' | 'calendly', number>;
  ratio: Record<'calCom' | 'calendly', { ratio: number; spread: readonly [number, number] }>;
}

export const run: Task<{ bytes: number }, HandlersResult> = async (core, { bytes }) => {
  const texts = Array.from({ length: distinct }, (_, index) => deliveryOf(bytes, index));
  const prefix = brand.headerPrefix.toLowerCase();
  const ours = texts.map((text, index) => received(text, { [`${prefix}-signature`]: `sha256=${hex(text)}`, [`${prefix}-event`]: 'BOOKING_CREATED', [`${prefix}-delivery-id`]: `dlv_${index}`, [`${prefix}-timestamp`]: '2030-01-02T08:00:00.000Z' }));
  const calCom = texts.slice(0, forOthers).map((text) => received(JSON.stringify({ triggerEvent: 'BOOKING_CREATED', createdAt: '2030-01-02T08:00:00.000Z', payload: (JSON.parse(text) as { data: unknown }).data }), {}));
  for (const request of calCom) request.headers['x-cal-signature-256'] = hex(request.rawBody.toString());
  // Its trigger takes five minutes at most for fresh.
  const seconds = Math.floor(Date.now() / 1000);
  const calendly = texts.slice(0, forOthers).map((text) => received(text, { 'calendly-webhook-signature': `t=${seconds},v1=${hex(`${seconds}.${text}`)}` }));

  const comparison = await compareBlocks([
    receiving(core, 'calCom', core.builtIn('Cal/CalTrigger'), { events: ['BOOKING_CREATED'] }, { webhookSecret: secret }, calCom),
    receiving(core, 'calendly', core.builtIn('Calendly/CalendlyTrigger'), { events: ['invitee.created'] }, { webhookSecret: secret }, calendly),
    receiving(core, 'ours', core.trigger, { events: ['BOOKING_CREATED'], simplify: false }, { webhook: { id: 'sub_1', signing_secret: secret, url: 'http://127.0.0.1:5678/webhook/5b0c/webhook' } }, ours),
  ]);
  return {
    cost: { ours: comparison.cost('ours'), calCom: comparison.cost('calCom'), calendly: comparison.cost('calendly') },
    ratio: { calCom: comparison.ratio('ours', 'calCom'), calendly: comparison.ratio('ours', 'calendly') },
  };
};
