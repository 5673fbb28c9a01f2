import { fetchHandler } from 'acme-scheduling/webhooks';
import { receiver } from '../../receiver.js';

export const config = { runtime: 'edge' };
export default fetchHandler(receiver);
