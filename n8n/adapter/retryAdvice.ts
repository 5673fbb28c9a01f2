/** After a write whose result is not known. Another worker of n8n cannot see what this one remembers, so only the same run is promised. */
export const retryAdvice =
  'Look for it in the service before you run this again. With Retry On Fail, the next try looks for it first, and sends it only if it is certainly not there.';
