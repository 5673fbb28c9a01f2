import { tidy } from '../values.ts';
import { ServiceError } from '../serviceError.ts';
import { brand } from '../brand.ts';
import { certificates, proxyCode, untrusted } from './networkFaults.ts';
import type { NetworkFault } from './ports.ts';

const isOfProxy = (code: string): boolean => /^PROXY(?:_|$)/.test(code);

/** The error of the connection to the proxy, such as `ECONNREFUSED`; `undefined` if the proxy responded. */
const unreachedProxy = (code: string): string | undefined => /^PROXY_([A-Z]\w*)$/.exec(code)?.[1];

/** The error of the connection inside a proxy's tunnel. */
const brokenTunnel = (code: string): string | undefined => /^PROXY_TUNNEL_(\w+)$/.exec(code)?.[1];

const tryAgain = 'Check the address in the connection and that the service is up, then try again.';

/**
 * What to do about a network fault, by its code.
 *
 * @param isManaged whether the people who see it cannot change the machine or its network
 */
export function faultAdvice({ code, sent }: Pick<NetworkFault, 'code' | 'sent'>, isManaged: boolean): string {
  const isCertificate = certificates[code] !== undefined;
  if (isManaged)
    return isCertificate
      ? 'Check the address in the connection. If it is right, only the provider of the service can correct the certificate: report this to them.'
      : tryAgain;
  if (untrusted.includes(code))
    return `If this network reads encrypted traffic, as many companies do, set NODE_EXTRA_CA_CERTS to the file with its certificate, ${inEnvironment}. Otherwise, check the address in the connection.`;
  if (isCertificate)
    return "Check the address in the connection and this machine's clock. If both are right, report this to the provider of the service.";
  if (code === proxyCode('407'))
    return `Put the user name and the password into HTTPS_PROXY, as in http://name:password@proxy:3128, ${inEnvironment}.`;
  if (brokenTunnel(code) !== undefined)
    return `Ask the person who runs the proxy in HTTPS_PROXY whether it allows this host. If it reads encrypted traffic, set NODE_EXTRA_CA_CERTS to the file with its certificate, ${inEnvironment}.`;
  if (isOfProxy(code))
    return 'Check HTTPS_PROXY in the environment of the program that runs this, or ask the person who runs the proxy, then try again.';
  return sent ? tryAgain : `${tryAgain} If this network requires a proxy, set HTTPS_PROXY ${inEnvironment}.`;
}

const inEnvironment = 'in the environment of the program that runs this, and restart that program';

/** The error if no response came from the service at this address. @param isManaged see {@link faultAdvice} */
export function unreachable(origin: string, fault: NetworkFault, isManaged = false): ServiceError {
  const { code, sent, at = [] } = fault;
  const { host } = new URL(origin);
  const certificate = certificates[code];
  const isAway = isOtherPlace(new URL(origin), fault);
  const [unreached, broken] = [unreachedProxy(code), brokenTunnel(code)];
  const place = at.filter((part) => part !== '').join(':');
  const status = isOfProxy(code) && code !== proxyCode(undefined) ? `: it answered with status ${code.slice(-3)}` : '';
  const told =
    broken !== undefined
      ? `The proxy connected to ${host}, but the encrypted connection to ${brand.name} broke off (${tidy(broken)})`
      : unreached === 'ERR_INVALID_URL'
        ? 'The address of the proxy cannot be used: it must look like http://name:password@proxy:3128, with # and / in a password as %23 and %2F'
        : unreached !== undefined
          ? `The proxy${place === '' ? '' : ` at ${place}`} on the way to ${brand.name} could not be reached (${tidy(unreached)})`
          : isOfProxy(code)
            ? `A proxy did not let the request through to ${brand.name} at ${host}${status}`
            : isAway
              ? `The proxy at ${place} could not be reached (${tidy(code)})`
              : certificate !== undefined
                ? `The certificate of ${host} ${certificate}, so nothing was sent to ${brand.name} (${tidy(code)})`
                : `${brand.name} ${sent ? `at ${host} did not answer` : `could not be reached at ${host}`} (${tidy(code)})`;
  return new ServiceError('unreachable', {
    message: `${told}.`,
    advice: faultAdvice(isAway ? { code: proxyCode(undefined), sent } : fault, isManaged),
  });
}

/**
 * Whether the program tried to connect to something other than the service, which can only be a proxy. An IP address cannot be compared by
 * name.
 */
function isOtherPlace({ hostname, port, protocol }: URL, { sent, at: [name, atPort] = ['', ''] }: NetworkFault): boolean {
  const isOtherName = /[a-z]/i.test(name) && !name.includes(':') && name !== hostname;
  const isOtherPort = atPort !== '' && atPort !== (port || (protocol === 'https:' ? '443' : '80'));
  return !sent && (isOtherName || isOtherPort);
}
