import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { runProgram, type Connect, type Process } from '../../mcp/program.ts';
import type { Stage } from './stage.ts';
import { Talk } from './talk.ts';

/** The program in the process of the test: with streams in place of its own, and an exit that is only noted. */
export class InProcess extends EventEmitter implements Process {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  exitCode: Process['exitCode'];
  /** Every code that the program wanted to end with. */
  readonly exits: number[] = [];

  constructor(args: readonly string[] = [], env: Readonly<Record<string, string | undefined>> = {}) {
    super();
    [this.argv, this.env] = [['node', 'main.js', ...args], env];
  }

  exit(code: number): void {
    this.exits.push(code);
  }

  /** Runs it until it has ended or serves. */
  run(connect: Connect = () => Promise.reject(new Error('Nobody is there to connect an account.'))): Promise<void> {
    return runProgram(this, connect);
  }

  /** What was written so far, for the program itself and for people. */
  get written(): { out: string; said: string } {
    const [out, said] = [this.stdout, this.stderr].map((stream) => String((stream.read() as Buffer | null) ?? ''));
    return { out: out ?? '', said: said ?? '' };
  }
}

/** The program serving one client, until the stage closes. */
export async function talkTo(stage: Stage, args: readonly string[] = []): Promise<Talk & { own: InProcess }> {
  const own = new InProcess(args, { SCHEDULING_MCP_FOLDER: stage.file.folder });
  stage.later(async () => void own.stdin.end());
  await own.run();
  return Object.assign(new Talk(own), { own });
}
