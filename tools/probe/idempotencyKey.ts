import { recordIn } from '../../shared/reading/index.ts';
import { idempotencyKey } from '../../shared/assumptions.ts';
import type { JsonObject } from '../../shared/client/ports.ts';
import { asText } from '../../shared/values.ts';
import type { MadeBooking } from './bookings.ts';
import { isSuccess, type Probing } from './wire.ts';

/**
 * Whether the service heeds `Idempotency-Key` (G48): one key and two creates make one booking.
 *
 * @param ids receives what is made beside the booking, so that it is cancelled in the end
 */
export async function askForKey({ findings, wire }: Probing, { id, input, key }: MadeBooking, ids: string[]): Promise<void> {
  // If answers show no booking, nobody could tell.
  if (key === undefined) return;
  const create = async (more: JsonObject = {}) => {
    const reply = await wire('POST', '/bookings', { body: { ...input, ...more }, key });
    const made = isSuccess(reply) ? asText(recordIn('booking', reply.body)?.id) : '';
    if (made !== '' && made !== id) ids.push(made);
    return { status: reply.status, isFirst: made === id };
  };
  const again = await create();
  if (!again.isFirst) {
    // Whoever trusts in keys that are ignored books twice.
    findings.must('idempotencyKey', !idempotencyKey.isHeeded, `a key is ignored: a second create was answered with ${again.status}`);
    return;
  }
  const other = await create({ notes: 'Another request of the probe' });
  const end = other.isFirst ? 'gets the same answer' : `is answered with ${other.status}`;
  findings.judge(
    'idempotencyKey',
    idempotencyKey.isHeeded,
    `one key and two creates made one booking; another request with the key ${end}`,
  );
}
