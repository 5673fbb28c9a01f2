import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * Asks a person on the terminal. What they type for a secret is not shown.
 *
 * @throws a sentence where nobody can be asked
 */
export async function askPerson(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(`${question} is missing, and there is no terminal to ask for it. Set it in the environment: see --help.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the question: from then on the terminal itself shows nothing, however soon somebody types or pastes.
  const lines = createInterface({ input: process.stdin, output: isSecret ? silent : process.stderr, terminal: true });
  process.stderr.write(`${question}: `);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.trim()));
      lines.once('close', () => reject(new Error(`${question} is missing.`)));
    });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
