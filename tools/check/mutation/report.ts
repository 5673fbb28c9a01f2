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

/** Changes that no test can notice, because what the code does stays the same. */
export interface Accepted {
  why: string;
  /** For each file, the code as it is and what stands in its place. White space does not count. */
  changes: Readonly<Record<string, readonly (readonly [code: string, instead: string])[]>>;
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

/** Each accepted change by itself. */
const oneByOne = (accepted: readonly Accepted[]): (Omit<Unnoticed, 'line'> & { why: string })[] =>
  accepted.flatMap(({ why, changes }) =>
    Object.entries(changes).flatMap(([file, pairs]) =>
      pairs.map(([code, instead]) => ({ file, code: plain(code), instead: plain(instead), why })),
    ),
  );

const isSame = (one: Omit<Unnoticed, 'line'>, other: Omit<Unnoticed, 'line'>): boolean =>
  one.file === other.file && one.code === other.code && one.instead === other.instead;

/** The part of a report about some sources: folders or files. Stryker's report also holds what earlier runs counted. */
export const about = ({ files }: Report, sources: readonly string[]): Report => ({
  files: Object.fromEntries(
    Object.entries(files).filter(([file]) => sources.length === 0 || sources.some((each) => file === each || file.startsWith(`${each}/`))),
  ),
});

/** The changes that no test noticed. */
export function unnoticed({ files }: Report, accepted: readonly Accepted[]): Unnoticed[] {
  const reasons = oneByOne(accepted);
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(isLeft).map(({ location, replacement = '' }) => {
      const left = { file, line: location.start.line, code: plain(between(source, location)), instead: plain(replacement) };
      const reason = reasons.find((each) => isSame(each, left));
      return { ...left, ...(reason && { why: reason.why }) };
    }),
  );
}

/** What `accepted` names, and the report does not hold. */
export function outdated(accepted: readonly Accepted[], left: readonly Unnoticed[], report: Report): string[] {
  return oneByOne(accepted)
    .filter((each) => Object.hasOwn(report.files, each.file) && !left.some((one) => isSame(one, each)))
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
