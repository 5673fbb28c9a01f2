import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../tools/root.cjs';

/** A document that people read: its path from the root, and its text. */
interface Guide {
  path: string;
  text: string;
}

/** What is installed and built. */
export const notOurs = new Set(['node_modules', 'dist', 'build', 'coverage', '.local']);

/** Every document of the project; `llms.txt` is the index for language models, in Markdown too. */
export const guides: readonly Guide[] = globSync(['**/*.md', 'llms.txt'], { cwd: root, exclude: (path) => notOurs.has(basename(path)) })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

interface Block {
  path: string;
  commands: string[];
  /** Why it is not run here. */
  notRun: string | undefined;
}

/** The command blocks. Those that cannot be run here have `<!-- not run: why -->` above them. */
export const commandBlocks: readonly Block[] = guides.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:<!-- not run: (?<why>[^\n]+) -->\n)?```(?:sh|bash)\n(?<inner>[\s\S]*?)\n```/g)].map(({ groups }) => ({
    path,
    commands: (groups?.['inner'] ?? '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== ''),
    notRun: groups?.['why'],
  })),
);

/** The text without code, so that only links that a reader can click remain. */
export const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
