import type { Client } from '../client/client.ts';
import type { ServiceError } from '../serviceError.ts';
import type { StoredWrite, PendingWrite } from '../client/pendingWrites.ts';
import { isRepeatable, newKey } from './idempotencyKey.ts';
import type { Sent } from './write.ts';

/**
 * What is on record of one write while it is sent: nothing, or when it was sent and why its result is not known, so that a later try looks
 * for it.
 *
 * @param earlier what an earlier try of the same write left on record
 */
export function journalOf(client: Client, { keys, content, by, isIdempotent, call }: Sent<unknown>, earlier: StoredWrite | undefined) {
  const { writes, onDone, clock } = client;
  const own = writes.certain(keys);
  const { reason = '', holds = 0 } = earlier?.pending ?? {};
  let isEmpty = earlier === undefined;
  let lost = earlier?.pending;
  const isRepeat = isRepeatable(lost?.key, call, clock);
  const key = isRepeat ? lost?.key : newKey(call, clock);
  return {
    /** Whether what is sent has the key of what an earlier try sent, so that nobody needs to look for that. */
    isRepeat,
    /** The last request, of this try or the earlier one, of which nobody knows whether it changed something. */
    lost: () => lost,
    /** Before it is sent. @throws ServiceError if it must not be sent */
    async begin(): Promise<PendingWrite> {
      const now = clock.now();
      // What is sent again may be what was made by the first of its tries.
      const sentAfter = isRepeat ? (lost?.sentAfter ?? now) : now;
      const begun = { reason, sentAfter, sentBefore: now + client.retryPolicy.totalWaitMs, holds, ...(key && { key }) };
      if (writes.store.writesAhead !== true) return begun;
      isEmpty = false;
      await writes.announce(own, begun, content, by);
      return begun;
    },
    /** Its answer was lost. The run may end while it is looked for: then the next one must find it. */
    async lose(begun: PendingWrite, { message }: ServiceError): Promise<PendingWrite> {
      const words = reason.includes(message) ? reason : [reason, message].filter(Boolean).join(' ');
      lost = { ...begun, reason: words, sentBefore: clock.now(), serviceSentBefore: client.serviceNow() };
      if ((!isIdempotent || key !== undefined) && (await writes.keep(keys, lost, content, by))) isEmpty = false;
      return lost;
    },
    /** What was sent last changed nothing: what was lost before that is still uncertain. @param isSpent whether its key is of no more use */
    async restore(isSpent = false): Promise<void> {
      if (lost !== undefined && isSpent) lost = { ...lost, key: undefined };
      if (lost !== undefined) await writes.keep(keys, lost, earlier?.content ?? content, earlier?.by ?? by);
      else if (!isEmpty) await writes.forget(own);
    },
    /** It was done, with this result: it is forgotten, once that was told. Until then, only an identical request gets it. */
    async done<Result>(result: Result): Promise<Result> {
      if (isEmpty) return result;
      if (onDone === undefined || own === undefined) await writes.forget(lost === undefined ? own : keys);
      else {
        if (lost !== undefined && keys?.content !== own.content) await writes.forget(keys && { content: keys.content });
        onDone(own);
      }
      return result;
    },
  };
}
