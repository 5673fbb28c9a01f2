import { decisive, folders } from './scope.ts';

/** What is read of Stryker's report. */
export interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Position {
  line: number;
  column: number;
}

interface Mutant {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored' | 'Pending';
  replacement?: string;
  location: { start: Position; end: Position };
}

/** A change that no test can notice, because what the code does stays the same. */
export interface Accepted {
  file: string;
  /** The code as it is, and what stands in its place. White space does not count. */
  code: string;
  instead: string;
  why: string;
}

/** A change that no test noticed. */
export interface Unnoticed {
  file: string;
  line: number;
  code: string;
  instead: string;
  /** Why it needs no test. Without it, nobody has said so. */
  why?: string;
}

export interface Share {
  name: string;
  noticed: number;
  all: number;
  /** How many of a hundred changes must be noticed. */
  wanted: number;
}

/** How many of a hundred changes the tests must notice in each folder, and in each file where a write or a delivery is decided. */
const wanted = { folder: 90, decisive: 97 };

const plain = (code: string): string => code.replace(/\s+/g, ' ').trim();

/** The text between two positions, which count from 1. */
function between(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines.map((line, place) => line.slice(place === 0 ? start.column - 1 : 0, place === last ? end.column - 1 : undefined)).join('\n');
}

/** The changes that no test noticed. */
export function unnoticed({ files }: Report, accepted: readonly Accepted[]): Unnoticed[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(isLeft).map(({ location, replacement = '' }) => {
      const [code, instead] = [plain(between(source, location)), plain(replacement)];
      const known = accepted.find((each) => each.file === file && plain(each.code) === code && plain(each.instead) === instead);
      return { file, line: location.start.line, code, instead, ...(known && { why: known.why }) };
    }),
  );
}

/** What `accepted` names, and the report does not hold. */
export function outdated(accepted: readonly Accepted[], left: readonly Unnoticed[], report: Report): string[] {
  return accepted
    .filter(({ file }) => Object.hasOwn(report.files, file))
    .filter(
      ({ file, code, instead }) => !left.some((each) => each.file === file && each.code === plain(code) && each.instead === plain(instead)),
    )
    .map(({ file, code, instead }) => `${file}: ${code} → ${instead}`);
}

/** Each folder, and each decisive file, with what is noticed in it. */
export function shares({ files }: Report): Share[] {
  const names = Object.keys(files);
  const share = (name: string, inIt: string[], of: number): Share => {
    const mutants = inIt.flatMap((file) => files[file]?.mutants ?? []);
    const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
    return { name, noticed, all: noticed + mutants.filter(isLeft).length, wanted: of };
  };
  return [
    ...folders.map((folder) =>
      share(
        folder,
        names.filter((file) => file.startsWith(`${folder}/`)),
        wanted.folder,
      ),
    ),
    ...decisive.filter((file) => Object.hasOwn(files, file)).map((file) => share(file, [file], wanted.decisive)),
  ].filter(({ all }) => all > 0);
}

function isLeft({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}
