import { consentAnswer } from '../../sdk/node/consentAnswer.ts';
import { loopback } from '../../sdk/node/login.ts';
import { createOAuth, reasonIn } from '../../sdk/oauth/oauth.ts';
import type { ApiResponse } from '../../shared/client/ports.ts';
import { allScopes, codeExchange, readTokens, type Tokens } from '../../shared/oauth/oauth.ts';
import { type Said, send } from './asking.ts';
import { basic, refusesClient, sent } from './tokenQuestions.ts';

/**
 * Connects an account as an application does: a person opens the consent page and agrees.
 *
 * @param application its redirect address is on this machine, has a port, and is registered with the service in exactly this form
 * @throws an error for people if the redirect address cannot be used, the person refused, or the code was refused
 */
export async function connect(
  application: Record<'baseUrl' | 'clientId' | 'clientSecret' | 'redirectUri', string>,
  open: (consentPage: string) => void,
): Promise<Tokens> {
  const { redirectUri } = application;
  const { url, attempt } = await createOAuth(application).begin();
  const [state = '', codeVerifier = ''] = attempt.split('.');
  let answered: ApiResponse = { status: 0, headers: {}, body: undefined };
  await consentAnswer({ redirect: loopback(redirectUri), state, show: () => open(url) }, async (answer) => {
    const code = answer.get('code');
    if (code === null) throw new Error(`The account was not connected: ${reasonIn(answer)}.`);
    for (const by of [{}, basic]) {
      const { elsewhere } = sent(codeExchange({ ...application, ...by }, { code, redirectUri, codeVerifier }));
      answered = await send(elsewhere.url, elsewhere);
      if (!refusesClient(answered)) return;
    }
  });
  return readTokens(answered);
}

/** What a successful connection shows about G24 and G26. */
export function consented({ scope }: Tokens): Said[] {
  const missing = allScopes.split(' ').filter((each) => scope !== undefined && !scope.split(' ').includes(each));
  return [
    ['pkce', true, 'a consent with a challenge and an exchange with its verifier were accepted'],
    ['authorizeAddress', true, '`state` came back'],
    ['authorizeAddress', missing.length === 0, 'scopes joined by spaces were accepted', `not granted: ${missing.join(', ')}`, 'differs'],
  ];
}
