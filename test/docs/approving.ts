import { runInNewContext } from 'node:vm';
import { awaitExecution, listExecutions } from '../../tools/rigs/n8n/executions.ts';
import type { Outside } from '../support/outside.ts';
import { until } from '../support/until.ts';
import type { Stage as FormStage } from './forms.ts';

interface Stage extends FormStage {
  outside: Outside;
  /** What was said in Slack. */
  inSlack: () => unknown[];
  mails: () => unknown[];
}

const aDay = 24 * 60 * 60_000;

/** The tests of the template that tells a team about requests. @param stage is asked for what runs once the tests run */
export function asksTheTeam(stage: () => Stage): void {
  const ask = (email: string, name?: string) =>
    stage().sandbox.host.book({
      invitee_name: name,
      event_type_id: stage().type('Design Review'),
      invitee_email: email,
      question_responses: { link: 'https://example.com/drafts' },
    });

  it('notifies the team once of each waiting request', async () => {
    const { n8n, sandbox, outside, setUp, published, inSlack } = stage();
    // What Slack takes for a mention of everybody.
    ask('asking@example.com', 'Ada & <!channel>');
    const pending = sandbox.bookings().filter(({ status }) => status === 'PENDING');
    outside.answer = () => ({ status: 200, body: '{"ok":true,"message":{}}' });
    const names = () => inSlack().map((text) => String(text).split(' asks for ')[0]);
    // In place of the clock, which on a busy machine would start the next look before the last one has ended.
    const onCall = { type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: 'approval-desk', parameters: { path: 'approval-desk' } };
    const { nodes, ...file } = setUp('approval-desk');
    const called = nodes.map((node) => (node.name === 'Every 15 minutes' ? { ...node, ...onCall } : node));
    await published({ ...file, nodes: called }, async (id) => {
      let looks = 0;
      const look = async () => {
        await fetch(`${n8n.n8n.origin}/webhook/approval-desk`, { headers: { connection: 'close' } });
        looks += 1;
        await until(async () => (await listExecutions(n8n.session, id)).filter(({ status }) => status === 'success').length === looks);
      };
      await look();
      const inSlacksForm = pending.map(({ invitee_name: name }) => (name.startsWith('Ada &') ? 'Ada &amp; &lt;!channel>' : name));
      expect(names().sort()).toEqual(inSlacksForm.sort());
      const last = ask('last@example.com');
      await look();
      await look();
      expect(names().sort()).toEqual([...inSlacksForm, last.invitee_name].sort());
    });
  });

  it('remembers only what was pending in the last week, however much there ever was, and tells of each once', () => {
    const node = stage()
      .setUp('approval-desk')
      .nodes.find(({ name }) => name === 'Keep those not seen before');
    const code = `(function () { ${String(node?.parameters['jsCode'])} })()`;
    const [kept, told]: [object, string[]] = [{}, []];
    for (let day = 0; day < 100; day += 1) {
      // Ninety new ones a day, each for three days. A lagging copy of the list lacks some of them.
      const pending = [2, 1, 0].flatMap((ago) => Array.from({ length: 90 }, (_, index) => `${day - ago} ${index}`));
      const items = pending.filter((_, index) => (index + day) % 7 > 0).map((id) => ({ json: { id } }));
      const n8n = { $getWorkflowStaticData: () => kept, $input: { all: () => items }, Date: { now: () => day * aDay } };
      told.push(...(runInNewContext(code, n8n) as typeof items).map(({ json }) => json.id));
    }
    expect([told.length > 8_500, new Set(told).size]).toEqual([true, told.length]);
    expect(JSON.stringify(kept).length).toBeLessThan(30_000);
  });

  it("tells the invitee what was decided, in the host's words", async () => {
    const { n8n, sandbox, setUp, published, mails } = stage();
    await published(setUp('approval-desk'), async (id) => {
      const [yes, no] = [ask('yes@example.com'), ask('no@example.com')];
      sandbox.host.approve(yes.id);
      await awaitExecution(n8n.session, id, (run) => run.items('Approved or denied')[0]?.['id'] === yes.id);
      sandbox.host.deny(no.id, { reason: 'that week is full' });
      await awaitExecution(n8n.session, id, (run) => run.items('Approved or denied')[0]?.['id'] === no.id);
      expect(mails()).toEqual([
        { to: 'yes@example.com', subject: 'Design Review', text: expect.stringContaining('Design Review is confirmed') as unknown },
        { to: 'no@example.com', subject: 'Design Review', text: 'Design Review cannot take place: that week is full.' },
      ]);
    });
  });
}
