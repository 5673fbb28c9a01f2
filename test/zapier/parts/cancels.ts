import assert from 'node:assert/strict';
import { assertTypes, type OutputShape } from './outputs.ts';
import { onSandbox, record, same, type Part, type Stage } from './stage.ts';

const cancel = async ({ zapier }: Stage, raw: Record<string, unknown>) => record(await zapier.step('creates.cancel_booking', raw));

export const cancels: Part = {
  name: 'Cancel Booking',
  checks: [
    {
      title: 'a cancelled booking has the types that the output fields promise',
      run: async (stage) => {
        const cancelled = await cancel(stage, { booking_id: stage.sandbox.host.book().id, reason: 'Ill' });
        assertTypes(cancelled, (await stage.zapier.invoke('creates.cancel_booking.operation.outputFields')) as OutputShape[]);
      },
    },
    {
      title: 'a booking that is already cancelled is a success that says so, with any status of the refusal',
      run: async (stage) => {
        for (const refusal of ['400', '409', '422'] as const) {
          await onSandbox(stage, { forms: { refusal } }, async (own) => {
            const { id } = own.sandbox.host.book();
            own.sandbox.host.cancel(id, { reason: 'Before' });
            const cancelled = await cancel(own, { booking_id: id, reason: 'Again' });
            same(
              [cancelled['id'], cancelled['status'], cancelled['already_cancelled'], cancelled['cancellation_reason']],
              [id, 'CANCELLED', true, 'Before'],
            );
          });
        }
      },
    },
    {
      title: 'reads the booking again if the service answers a cancellation without a body',
      run: async (stage) => {
        for (const cancelled of ['empty', '204'] as const) {
          await onSandbox(stage, { forms: { cancelled } }, async (own) => {
            const { id } = own.sandbox.host.book();
            assert.equal((await cancel(own, { booking_id: id }))['status'], 'CANCELLED');
          });
        }
      },
    },
    {
      title: 'takes the booking from a search step, which its field offers',
      run: async (stage) => {
        const { creates } = await stage.zapier.definition();
        const field = creates['cancel_booking']?.operation.inputFields?.[0];
        assert.equal(Reflect.get(field ?? {}, 'search'), 'find_booking.id');
        const { invitee_email: email, id } = stage.sandbox.host.book({ invitee_email: 'searched@example.com' });
        const found = record(await stage.zapier.step('searches.find_booking', { email }));
        const [first] = found['results'] as Record<string, unknown>[];
        assert.equal((await cancel(stage, { booking_id: first?.['id'] }))['id'], id);
      },
    },
  ],
};
