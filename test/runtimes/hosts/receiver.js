import { createReceiver } from 'acme-scheduling/webhooks';

/** Whoever is delivered to, and why it failed, in the output of the program. */
export const receiver = createReceiver({
  subscription: { id: 'sub_1', signing_secret: process.env.SIGNING_SECRET },
  onError: (error) => console.error(error.message),
}).on('BOOKING_CREATED', ({ record }) => console.log('booked', record.id));

export const port = Number(process.env.PORT);
