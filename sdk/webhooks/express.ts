import { nodeHandler, type NodeRequest, type NodeResponse } from './node.ts';
import type { Receiver } from './receiver.ts';

/**
 * A handler for Express 4 and 5. It reads the raw body itself: put its route before `express.json()`, or after `express.raw()`. What
 * goes wrong is told to the receiver's `onError` and answered, so no error handler of Express has to know of it.
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
