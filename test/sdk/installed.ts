import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { builtPackage, type Packed } from '../../tools/build/products.ts';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';

/** An empty folder in which somebody has installed the package from its tarball. */
export class Installed {
  readonly folder: string;
  readonly packed: Packed;

  private constructor(folder: string, packed: Packed) {
    this.folder = folder;
    this.packed = packed;
  }

  static async open(): Promise<Installed> {
    const packed = await builtPackage('sdk');
    const folder = await mkdtemp(join(tmpdir(), 'installed-'));
    await unpack(packed, folder);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    return new Installed(folder, packed);
  }

  /** Another package of this project that they have installed as well, such as one with types. */
  async with(name: string): Promise<void> {
    const place = join(this.folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, 'node_modules', name), place, 'dir');
  }

  /** The package of the sandbox, from its tarball. @returns its folder */
  async withSandbox(): Promise<string> {
    return unpack(await builtPackage('sandbox'), this.folder);
  }

  get name(): string {
    return this.packed.name;
  }

  /** The command that they type in a shell. */
  get program(): string {
    return join(this.folder, 'node_modules', this.name, 'dist', 'cli.js');
  }

  /** @returns the file's path */
  async write(file: string, text: string): Promise<string> {
    const path = join(this.folder, file);
    await writeFile(path, text.replaceAll('our-package', this.name));
    return path;
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** What the compiler has to say about programs that use a package. */
export const complaintsAbout = (paths: readonly string[], more: ts.CompilerOptions = {}): readonly ts.Diagnostic[] => {
  const node = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, types: [] };
  return ts.getPreEmitDiagnostics(
    ts.createProgram(paths, { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, ...node, ...more }),
  );
};

export const sentenceOf = ({ messageText }: ts.Diagnostic): string => ts.flattenDiagnosticMessageText(messageText, ' ');

async function unpack({ name, tarball }: Packed, folder: string): Promise<string> {
  const own = join(folder, 'node_modules', name);
  await mkdir(own, { recursive: true });
  await mustRun('tar', ['-xzf', tarball, '--strip-components=1', '-C', own], { cwd: folder });
  return own;
}
