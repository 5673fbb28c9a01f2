import type { Sandbox } from '../../sandbox/service.ts';
import type { ConnectedN8n } from '../support/connectedN8n.ts';
import { listExecutions } from '../../tools/rigs/n8n/executions.ts';
import type { WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { until } from '../support/until.ts';

export interface Stage {
  n8n: ConnectedN8n;
  sandbox: Sandbox;
  /** A template with credentials chosen. */
  setUp: (name: string, edit?: (text: string) => string) => WorkflowFile;
  /** Publishes a workflow until the work is done. */
  published: <T>(file: WorkflowFile, work: (id: string) => Promise<T>) => Promise<T>;
  /** The id of an event type. */
  type: (name: string) => string;
}

/** The tests of the templates that begin with a form. @param stage is asked for what runs once the tests run */
export function answersForms(stage: () => Stage): void {
  const address = (file: WorkflowFile): string =>
    `${stage().n8n.n8n.origin}/form/${file.nodes.find((node) => node.type === 'n8n-nodes-base.formTrigger')?.webhookId}`;
  const submit = (file: WorkflowFile, values: (string | Blob)[]): Promise<Response> => {
    const body = new FormData();
    for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
    return fetch(address(file), { method: 'POST', body, headers: { connection: 'close' } });
  };

  const bookedIn = (month: string) => {
    const { sandbox } = stage();
    return sandbox.bookings().filter(({ start_time: start }) => start.startsWith(month));
  };

  /** What the visitor reads at last. */
  const lastPage = async (id: string, answer: Response): Promise<string> => {
    const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
    await until(async () => (await listExecutions(stage().n8n.session, id))[0]?.status === 'waiting');
    return (await fetch(formWaitingUrl, { headers: { connection: 'close' } })).text();
  };

  it('A form that books: what is entered becomes a booking, and of a refusal the visitor reads what happened and what to do', async () => {
    const chosen = JSON.stringify({ __rl: true, mode: 'id', value: stage().type('Coffee Chat') });
    const file = stage().setUp('form-that-books', (text) => text.replace('"startTime"', `"eventTypeId": ${chosen}, "startTime"`));
    await stage().published(file, async (id) => {
      const entered = ['Ada Lovelace', 'ada@example.com', '2063-02-01', '09:30'];
      const booked = await lastPage(id, await submit(file, entered));
      expect(booked).toContain('Your meeting is booked');
      expect(booked).toMatch(/Thursday 1 February 2063, \d\d:30 \(/);
      expect(bookedIn('2063-02')).toMatchObject([{ invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }]);
      const taken = await lastPage(id, await submit(file, entered));
      expect(taken).toContain('Nothing was booked');
      expect(taken).toMatch(/That time is not free for this event type: [^<]+ Choose another start\./);
      const mistyped = await lastPage(id, await submit(file, [...entered.slice(0, 3), 'half past nine']));
      expect(mistyped).toMatch(/is not a date and time such as [^<]+ Correct it and run this again\./);
      expect(bookedIn('2063-02')).toHaveLength(1);
    });
  });

  it.each([
    ['as most programs write it', '2063-01', ',', '\n', ''],
    ['as Excel saves it in most of Europe', '2063-03', ';', '\r\n', '\ufeff'],
  ])('Bulk import of CSV %s: good rows are booked, a bad one is reported with its reason and stops nothing', async (...given) => {
    const [, month, between, end, mark] = given;
    // What separates columns elsewhere belongs to the text here.
    const name = between === ',' ? 'Hopper; Grace' : 'Hopper, Grace';
    const rows = [
      ['event_type_id', 'start_time', 'name', 'email', 'timezone'],
      [stage().type('Coffee Chat'), `${month}-20T09:00:00Z`, 'Ada Lovelace', 'ada@example.com', 'Europe/London'],
      [stage().type('Coffee Chat'), `${month}-20T09:00:00Z`, 'Too Late', 'late@example.com', 'Europe/London'],
      [stage().type('Coffee Chat'), `${month}-20T10:00`, name, 'grace@example.com', 'Asia/Tokyo'],
    ];
    const text = mark + rows.map((row) => row.join(between)).join(end);
    const file = stage().setUp('bulk-import');
    await stage().published(file, async (id) => {
      const answer = await submit(file, [new Blob([text], { type: 'text/csv' })]);
      const page = await lastPage(id, answer);
      expect(page).toContain('Import finished');
      // Rows are booked side by side, so either of the two at nine may come first.
      expect(page).toMatch(/(?:ada|late)@example\.com: booked/);
      expect(page).toMatch(/(?:ada|late)@example\.com: [^<\n]*not free/);
      expect(page).toContain('grace@example.com: booked');
    });
    const inOrder = bookedIn(month).toSorted((a, b) => a.start_time.localeCompare(b.start_time));
    expect(inOrder.map(({ invitee_name, start_time }) => [invitee_name, start_time])).toEqual([
      [name, `${month}-20T01:00:00.000Z`],
      [expect.stringMatching(/^(?:Ada Lovelace|Too Late)$/), `${month}-20T09:00:00.000Z`],
    ]);
  });
}
