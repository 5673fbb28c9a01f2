import type { Client } from '../client/client.ts';
import type { ServiceError } from '../serviceError.ts';
import type { StoredWrite, PendingWrite } from '../client/pendingWrites.ts';
import { isRepeatable, newKey } from './idempotencyKey.ts';
import type { Sent } from './write.ts';

/**
 * The record of one write while it is sent: empty, or when it was sent and why its result is unknown, so that a later attempt looks for it.
 *
 * @param earlier the record that an earlier attempt of the same write left
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
    /** Whether this request has the key of the earlier attempt's, so that nobody needs to look for that. */
    isRepeat,
    /** The last request, of this attempt or the earlier one, whose outcome is unknown. */
    lost: () => lost,
    /** Called before the write is sent. @throws ServiceError if it must not be sent */
    async begin(): Promise<PendingWrite> {
      const now = clock.now();
      // A repeat may return what its first attempt created, so the earliest time stays that of the first.
      const sentAfter = isRepeat ? (lost?.sentAfter ?? now) : now;
      const begun = { reason, sentAfter, sentBefore: now + client.retryPolicy.totalWaitMs, holds, ...(key && { key }) };
      if (writes.store.writesAhead !== true) return begun;
      isEmpty = false;
      await writes.announce(own, begun, content, by);
      return begun;
    },
    /** Called when the response was lost. The run may end during the search: then the next one must find the write. */
    async lose(begun: PendingWrite, { message }: ServiceError): Promise<PendingWrite> {
      const words = reason.includes(message) ? reason : [reason, message].filter(Boolean).join(' ');
      lost = { ...begun, reason: words, sentBefore: clock.now(), serviceSentBefore: client.serviceNow() };
      if ((!isIdempotent || key !== undefined) && (await writes.keep(keys, lost, content, by))) isEmpty = false;
      return lost;
    },
    /**
     * Called when the last request changed nothing: what was lost before that is still uncertain. @param isSpent whether its key is no
     * longer useful
     */
    async restore(isSpent = false): Promise<void> {
      if (lost !== undefined && isSpent) lost = { ...lost, key: undefined };
      if (lost !== undefined) await writes.keep(keys, lost, earlier?.content ?? content, earlier?.by ?? by);
      else if (!isEmpty) await writes.forget(own);
    },
    /**
     * Called when the write was done. Its record is deleted once the result has been reported. Until then, only an identical request gets
     * it.
     */
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
