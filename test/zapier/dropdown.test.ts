import type { Bundle, ZObject } from 'zapier-platform-core';
import { startSandbox } from '../../sandbox/service.ts';
import { dropdown } from '../../zapier/adapter/dropdown.ts';

/** Zapier's value for the first page: nothing in the editor, null if its own tool asks on a terminal. */
test.each([undefined, null])('the first page of a list is requested without a cursor if the token is %s', async (token) => {
  const sandbox = await startSandbox();
  try {
    process.env['BASE_URL'] = sandbox.baseUrl;
    const { access_token } = sandbox.issueToken();
    const z = {
      console: { log: () => undefined },
      errors: { Error },
      cache: { get: async () => null, set: async () => true, delete: async () => true },
      request: async ({ url, method }: { url: string; method: string }) => {
        const response = await fetch(url, { method, headers: { authorization: `Bearer ${access_token}` } });
        return { status: response.status, headers: response.headers, data: await response.json(), content: '' };
      },
    } as unknown as ZObject;
    const { results } = await dropdown('eventTypes').perform(z, { meta: { paging_token: token } } as unknown as Bundle);
    expect(results).toContainEqual(expect.objectContaining({ label: expect.stringContaining('Intro Call') as unknown }));
  } finally {
    await sandbox.stop();
  }
});
