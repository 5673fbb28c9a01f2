import { SERVICES } from '../../sandbox/service.ts';
import { caller, start } from './support.ts';

it.each(SERVICES.service.values)('as %s, every answer about a booking is whole: each fact has its value, under one id', async (service) => {
  const sandbox = await start({ forms: { service }, limits: false });
  const call = caller(sandbox);
  const { id } = sandbox.host.book({ invitee_email: 'elin@example.com' });
  const answers = [
    await call('GET', `/bookings/${id}`),
    await call('GET', '/bookings?email=elin@example.com'),
    await call('GET', '/event-types'),
    await call('GET', '/contacts'),
    await call('GET', '/bookings/none'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
  for (const { text } of answers) expect(text).not.toMatch(/\{\w+[?|}]|undefined|Invalid DateTime/);
  const [shown] = /"(?:id|Id)":(?:"bkg_\w+"|\d+)/.exec(answers[0]?.text ?? '') ?? [];
  expect(answers[1]?.text).toContain(shown);
});
