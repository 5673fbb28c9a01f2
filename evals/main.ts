/** `npm run evals`: lets a model do twelve tasks with the tools of the MCP server, and grades it by the sandbox's final state. */
import { address, namesIn, Misuse, runProgram, text } from '../tools/commandLine/command.ts';
import { runTask } from './run.ts';
import { tasks } from './tasks.ts';

const key = 'EVALS_KEY';
const names = tasks.map(({ name }) => name);

const command = {
  name: 'npm run evals',
  does: `lets a model do ${tasks.length} tasks with the tools of the MCP server, each once without and once with the skill, in a fresh sandbox. What the sandbox then holds decides, not what the model says.`,
  options: {
    url: text('<address>', 'Where the model is: an address that speaks as OpenAI does, usually ending in /v1.'),
    model: text('<name>', "The model's name there."),
    task: { ...text('<name>', `Only this task: ${names.join('; ')}.`), multiple: true },
  },
  examples: [
    [
      'npm run evals -- --url https://api.example.com/v1 --model some-model',
      `Every task, with the key in ${key}. This uses tokens of your account.`,
    ],
    ['npm run evals -- --url http://127.0.0.1:11434/v1 --model some-model --task move', 'One task, with a model on this machine.'],
  ],
  more: [
    `From the environment, because npm prints every option:\n  ${key}\n      The key of your account with the model's provider. It is sent to that address and saved nowhere.`,
    'The exit code is 0 only if every task was done, with and without the skill.',
  ],
} as const;

await runProgram(command, async ({ values: { url: typed, model: name, task } }) => {
  const url = address(typed, 'url');
  const wanted = namesIn(task, names, 'task');
  if (url === undefined || name === undefined)
    throw new Misuse(`Say which model does the tasks: --url https://api.example.com/v1 --model some-model, and its key in ${key}.`);
  const model = { url, name, key: process.env[key] || undefined };
  const chosen = tasks.filter((each) => wanted.includes(each.name));
  const done = { without: 0, with: 0 };
  for (const each of chosen)
    for (const skill of ['without', 'with'] as const) {
      const { faults, calls, tokens } = await runTask(each, model, skill === 'with');
      const isDone = faults.length === 0;
      if (isDone) done[skill] += 1;
      console.log(`${isDone ? 'done  ' : 'FAILED'}  ${each.name} ${skill} the skill: ${calls} calls, ${tokens} tokens`);
      for (const fault of faults) console.log(`        It ${fault}.`);
    }
  console.log(`\n${name}: ${done.without} of ${chosen.length} without the skill, ${done.with} of ${chosen.length} with it.`);
  return done.without + done.with === 2 * chosen.length ? 0 : 1;
});
