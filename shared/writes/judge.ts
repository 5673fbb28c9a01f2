import { ServiceError } from '../serviceError.ts';
import { brand } from '../brand.ts';
import type { Judge } from '../client/client.ts';
import type { ApiResponse } from '../client/ports.ts';
import { judgeSuccess, messageIn } from '../reading/index.ts';
import { kindAt } from '../records/resources.ts';
import { asText, isObject, parsed, tidy } from '../values.ts';

/** Whether a 2xx response to a write says that it was done (G12). In its own file, because callers that only read do not need it. */
export const judgeWrite: Judge = (response, { path }) => {
  const broken = brokenOff(response);
  if (broken !== undefined) return broken;
  const isCreation = path.every((part) => typeof part === 'string');
  const verdict = judgeSuccess(response.status, response.body, { kind: kindAt(path), isCreation });
  return verdict === 'unclear' ? unclear(response) : verdict;
};

/** The error for a response that begins as JSON but is invalid, because the rest was lost. */
function brokenOff({ status, headers, body }: ApiResponse): ServiceError | undefined {
  if (typeof body !== 'string' || parsed(body) !== body) return undefined;
  const begins = /^\s*(?:\{\s*"|\[\s*[{"])/.test(body) || (/json/i.test(headers['content-type'] ?? '') && /^\s*[[{"]/.test(body));
  if (!begins) return undefined;
  return new ServiceError('unreachable', {
    message: `The response of ${brand.name} (status ${status}) was cut off.`,
    advice: 'Check the network between here and the service, then try again.',
    status,
  });
}

/** The error for a 2xx response to a write that does not say whether it was done. */
function unclear({ status, body }: ApiResponse): ServiceError {
  const words = messageIn(body) || (isObject(body) ? tidy(asText(body['status'])) : '');
  return new ServiceError('unreadable', {
    message: `${brand.name} responded (status ${status}), but did not say whether it was done.${words === '' ? '' : ` ${brand.name} says: "${words.replace(/\.$/, '')}".`}`,
    advice: 'Look for it in the service before you try again.',
    status,
  });
}
