import { createReceiver } from 'acme-scheduling/webhooks';

export const receiver = createReceiver({
  subscription: { id: 'sub_1', signing_secret: process.env.SIGNING_SECRET },
  onError: (error) => console.error(error.message),
}).on('BOOKING_CREATED', ({ record }) => console.log('booked', record.id));
