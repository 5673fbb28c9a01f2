import { fetchHandler } from 'acme-scheduling/webhooks';
import { receiver } from '../../receiver.js';

export const runtime = 'edge';
export const POST = fetchHandler(receiver);
