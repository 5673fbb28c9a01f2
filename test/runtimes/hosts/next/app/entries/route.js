import { createClient } from 'acme-scheduling';
import { createPoller } from 'acme-scheduling/changes';
import { createOAuth } from 'acme-scheduling/oauth';
import { sqlStores } from 'acme-scheduling/stores';
import { signedDelivery } from 'acme-scheduling/testing';

export const runtime = 'edge';
export const GET = async () => {
  const { body } = await signedDelivery('BOOKING_CREATED', 'secret');
  const { attempt } = await createOAuth({ clientId: 'id', clientSecret: 'secret', redirectUri: 'https://app.example/' }).begin();
  const all = [createClient({ auth: 'token' }).bookings.list, createPoller, sqlStores, body.includes, attempt.includes];
  return new Response(all.map((each) => typeof each).join());
};
