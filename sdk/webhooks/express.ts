import { nodeHandler, type NodeRequest, type NodeResponse } from './node.ts';
import type { Receiver } from './receiver.ts';

/**
 * A handler for Express 4 and 5. It reads the raw body itself: add it before `express.json()`, or after `express.raw()`. Failures are
 * answered and passed to the receiver's `onError`, so you need no error handler in Express.
 *
 * @example
 * ```ts
 * app.all('/deliveries', expressHandler(receiver));
 * app.use(express.json());
 * ```
 */
export const expressHandler = (receiver: Receiver): ((request: NodeRequest, response: NodeResponse) => void) => {
  const handle = nodeHandler(receiver);
  return (request, response) => void handle(request, response);
};
