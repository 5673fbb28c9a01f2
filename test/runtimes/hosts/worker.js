import { createReceiver, fetchHandler } from 'acme-scheduling/webhooks';

export default {
  async fetch(request, { SIGNING_SECRET: signing_secret }) {
    const receiver = createReceiver({ subscription: { id: 'sub_1', signing_secret } });
    if (request.method === 'POST' && new URL(request.url).pathname === '/parsed') await request.json();
    return fetchHandler(receiver.on('BOOKING_CREATED', ({ record }) => console.log('booked', record.id)))(request);
  },
};
