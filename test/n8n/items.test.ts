import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { execute } from '../../n8n/adapter/execute.ts';
import { inParallel, PoolFailure } from '../../n8n/adapter/pool.ts';
import { operations } from '../../shared/operations/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { executeHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false })));
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.forgetRequests());

const run = (options: Omit<HostOptions, 'sandbox'>) => execute(executeHost({ sandbox, ...options }), operations);
const failed = (work: Promise<unknown>): Promise<Partial<NodeApiError>> =>
  work.then(
    () => ({}),
    (error: NodeApiError) => error,
  );

const me = { parameters: { resource: 'user', operation: 'getCurrent' } };
const unknown = { parameters: { resource: 'user', operation: 'erase' } };
const wrong = { parameters: { resource: 'booking', operation: 'get', bookingId: '   ' } };
const missing = { parameters: { resource: 'booking', operation: 'get', bookingId: 'bkg_none' } };

const oneOfTwo = '1 of 2 items finished before the error. To keep their output, set On Error to Continue.';

it.each([
  ['an item that is wrong', wrong, NodeOperationError, undefined, '"Booking" is required', /^(?=.+ \S)/],
  [
    'an item that the service refuses',
    missing,
    NodeApiError,
    '404',
    'The booking "bkg_none" was not found.',
    /^It may be deleted, or in another account\./,
  ],
  ['an item of an unknown operation', unknown, NodeOperationError, undefined, 'This node has no operation "erase" for "user".', /^/],
])(
  '%s after one that succeeded: the error has its number, says what to do and how many finished',
  async (_, item, kind, code, message, advice) => {
    const error = await failed(run({ items: [me, item] }));
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(message);
    expect(error.context).toMatchObject({ itemIndex: 1 });
    expect(error.httpCode).toBe(code);
    const said = String(error.description);
    expect(said).toMatch(advice);
    expect(said.endsWith(item === unknown ? oneOfTwo : ` ${oneOfTwo}`)).toBe(true);
    if (item === unknown) expect(said).toBe(oneOfTwo);
  },
);

it.each([
  ['the only item', [wrong]],
  ['every item', [wrong, wrong]],
])('if %s fails, nothing is said of items that finished', async (_, items) => {
  const error = await failed(run({ items }));
  expect(error.context).toMatchObject({ itemIndex: 0 });
  expect(error.description).not.toContain('finished');
});

it('an item of a node that continues holds what happened and what to do, and nothing else', async () => {
  const outcomes = await run({ items: [missing, unknown, me], node: { onError: 'continueRegularOutput' } });
  expect(outcomes).toEqual([
    { json: { error: expect.stringMatching(/was not found\. It may .*again\.$/) as string }, pairedItem: { item: 0 } },
    { json: { error: 'This node has no operation "erase" for "user". Choose one from the list.' }, pairedItem: { item: 1 } },
    { json: expect.objectContaining({ email: sandbox.account.email }) as object, pairedItem: { item: 2 } },
  ]);
});

it.each([
  ['a base URL that cannot be used', { baseUrl: 'http://example.com/api/v1' }, 'it must begin with https://'],
  ['no base URL', { baseUrl: null as never }, 'The base URL cannot be used: it is not a URL.'],
  ['no credential', { withoutCredential: new Error('Node does not have any credentials set') }, 'Node does not have any credentials set'],
])('%s ends in a sentence before anything is sent', async (_, options, words) => {
  const error = await failed(run({ ...me, ...options }));
  expect(error).toBeInstanceOf(NodeOperationError);
  expect(error.message).toContain(words);
  expect(sandbox.requests()).toEqual([]);
});

describe("n8n's own errors keep their words and their kind, and get the number of their item", () => {
  const node = { id: '1', name: 'Scheduler', type: 't', typeVersion: 1, position: [0, 0], parameters: {} } as INode;

  it.each([
    ['without advice', undefined, oneOfTwo],
    ['with advice', 'Open it and connect again.', `Open it and connect again. ${oneOfTwo}`],
  ])('%s', async (_, description, said) => {
    const own = new NodeOperationError(
      node,
      'The credential "Account" needs to be reconnected.',
      description === undefined ? {} : { description },
    );
    const host = executeHost({ sandbox, items: [me, missing] });
    const send = host.helpers.httpRequestWithAuthentication.bind(host);
    host.helpers.httpRequestWithAuthentication = (type, request) =>
      request.url.endsWith('bkg_none') ? Promise.reject(own) : (send(type, request) as Promise<unknown>);
    const error = await failed(execute(host, operations));
    expect(error).toBe(own);
    expect(error.message).toBe('The credential "Account" needs to be reconnected.');
    expect(error.description).toBe(said);
    expect(error.context).toMatchObject({ itemIndex: 1 });
  });
});

it('what was thrown as a text is shown as that text', async () => {
  const host = executeHost({ sandbox, ...me });
  host.getNodeParameter = () => {
    AbortSignal.abort('stopped by hand').throwIfAborted();
    return '' as never;
  };
  expect((await failed(execute(host, operations))).message).toBe('stopped by hand');
});

/** Work that ends when the test says so, for each item by its number. */
function held() {
  const started: number[] = [];
  const ends: Record<number, PromiseWithResolvers<string>> = {};
  return {
    started,
    end: (index: number) => ends[index]?.resolve(`done ${index}`),
    fail: (index: number) => ends[index]?.reject(new Error(`failed ${index}`)),
    work: (_: unknown, index: number) => {
      started.push(index);
      return (ends[index] = Promise.withResolvers<string>()).promise;
    },
  };
}

const passed = () => new Promise<void>((resolve) => setImmediate(resolve));

it('begins items in order, as many at a time as it may, and returns the results in the order of the items', async () => {
  const { started, end, work } = held();
  const all = inParallel(['a', 'b', 'c', 'd'], 2, work);
  expect(started).toEqual([0, 1]);
  end(1);
  await passed();
  expect(started).toEqual([0, 1, 2]);
  for (const index of [2, 0]) end(index);
  await passed();
  end(3);
  expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
});

it('without items there is nothing to do', async () => {
  expect(await inParallel([], 3, () => Promise.reject(new Error('There is no item.')))).toEqual([]);
});

it('after a failure begins no other item, waits for those that run, and reports the first item that failed and how many were done', async () => {
  const { started, end, fail, work } = held();
  let isOver = false;
  const ended = inParallel(['a', 'b', 'c', 'd', 'e'], 3, work)
    .catch((error: unknown) => error as PoolFailure)
    .finally(() => (isOver = true));
  fail(2);
  await passed();
  fail(1);
  await passed();
  expect(isOver).toBe(false);
  end(0);
  const failure = await ended;
  expect(started).toEqual([0, 1, 2]);
  expect(failure).toBeInstanceOf(PoolFailure);
  expect(failure).toMatchObject({ index: 1, finished: 1, cause: new Error('failed 1') });
});
