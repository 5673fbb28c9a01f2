import { nodeHandler } from 'acme-scheduling/webhooks';
import { receiver } from '../../receiver.js';

export default nodeHandler(receiver);
