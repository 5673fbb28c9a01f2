import type { JsonObject } from '../../shared/client/transport.ts';
import { asText } from '../../shared/values.ts';
import type { Findings } from './findings.ts';
import type { Raw } from './recognise.ts';
import type { Reply } from './wire.ts';

/** Whether both are one instant; a time without an offset is none. */
export const isAt = (came: unknown, sent: unknown): boolean =>
  /(?:Z|[+-]\d\d:?\d\d)$/.test(asText(came)) && Date.parse(asText(came)) === Date.parse(asText(sent));

/** What the service makes of what it is sent (G43). */
export function asSent(findings: Findings, input: JsonObject, shown: Raw): void {
  for (const field of ['event_type_id', 'start_time', 'invitee_name', 'invitee_email']) {
    const [sent, came] = [asText(input[field]), asText(shown[field])];
    const isSame = field === 'start_time' ? isAt(came, sent) : came === sent;
    if (isSame) findings.note('recordsAsSent', 'as assumed', `\`${field}\` comes back as it was sent`);
    else {
      const how =
        came === '' ? 'does not come back' : came === sent.toLowerCase() ? 'comes back in lower case' : 'comes back in another form';
      findings.note('recordsAsSent', 'also read', `\`${field}\` ${how}`);
    }
  }
}

/** Whether the service's records, the header Date and this machine agree about the time (G43). */
export function clocks(findings: Findings, { created_at: created }: Raw, { headers }: Reply, now: number): void {
  const made = typeof created === 'string' ? Date.parse(created) : NaN;
  const header = Date.parse(asText(headers['date']));
  const apart = (a: number, b: number) => Math.round(Math.abs(a - b) / 60_000);
  if (Number.isNaN(made)) findings.note('recordsAsSent', 'also read', '`created_at` is not a date and time');
  else if (apart(made, header) > 0)
    findings.note('recordsAsSent', 'also read', `\`created_at\` and the header Date are ${apart(made, header)} minutes apart`);
  if (apart(header, now) > 0)
    findings.note('recordsAsSent', 'also read', `the service's clock and that of this machine are ${apart(header, now)} minutes apart`);
}
