/** What the user of a platform sees at the end of an operation. */
export type Told =
  | { outcome: 'done'; value: unknown }
  | {
      outcome: 'failed';
      /** Everything that the platform shows of the error. */
      words: string;
      /** Whether the words leave open what happened. */
      isUnsure: boolean;
      /** The platform does not retry, although it retries other failures. */
      isFinal?: boolean;
      /** Why these words do not help a person; absent if they do. */
      defect?: string;
    };

/** A connected account, as a platform keeps it. */
export interface Connection {
  id: string;
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  accessToken: string;
  refreshToken: string;
}

/** A failure in the words that a person reads: what happened, and what to do. */
export function failure(message: string, advice: string): Told {
  const words = `${message} ${advice}`.trim();
  const isUnsure = /may or may not/.test(words);
  const defect = defectOf(message, advice);
  return { outcome: 'failed', words, isUnsure, ...(defect !== undefined && { defect }) };
}

function defectOf(message: string, advice: string): string | undefined {
  if (!/^["A-Z]|^[\d.]+:\d+ /.test(message) || !/[.!?]"?$|: npx [\w -]+$/.test(message.trim())) return 'what happened is not a sentence';
  if (advice !== '' && !/^["A-Z].*[.!]$/s.test(advice.trim())) return 'what to do is not a sentence';
  if (advice === '' && message.split('. ').length < 2) return 'nothing says what to do';
  if (/\bundefined\b|\[object|\bNaN\b|TypeError|<html|<!DOCTYPE/.test(`${message} ${advice}`)) return 'something raw shows through';
  return undefined;
}
