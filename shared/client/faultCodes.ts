/** Error codes of a certificate that nobody here trusts: mostly that of a proxy or a virus scanner that reads encrypted traffic. */
export const untrusted: readonly string[] = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
];

/** Why a certificate was refused, by the error's code. */
export const certificates: Readonly<Record<string, string>> = {
  ...Object.fromEntries(untrusted.map((code) => [code, 'is not trusted here'])),
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
};

/** The codes of every refused certificate. Nothing is sent before the certificate is accepted. */
export const certificateCodes: readonly string[] = Object.keys(certificates);

/** The code of a proxy that did not connect to the service, with its status if that is known: `PROXY_407`. */
export const proxyCode = (status: string | undefined): string => (status === undefined ? 'PROXY' : `PROXY_${status}`);
