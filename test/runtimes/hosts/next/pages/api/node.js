import { nodeHandler } from 'acme-scheduling/webhooks';
import { receiver } from '../../receiver.js';

export const config = { api: { bodyParser: false } };
export default nodeHandler(receiver);
