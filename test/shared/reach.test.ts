import { refusalOf } from '../support/service.ts';
import { brand } from '../../shared/brand.ts';
import { checkReceiver, doubtAbout, reachOf, whereIs, type Reach, type Whereabouts } from '../../shared/webhooks/reach.ts';

describe('who can reach an address', () => {
  const at = (host: string): string => `http://${host}/webhook/5b0c/webhook`;

  describe('an address shows by its form who can reach it', () => {
    const table: Record<Whereabouts, string[]> = {
      thisMachine: [
        'localhost LOCALHOST localhost. localhost:5678 n8n.localhost localhost.localdomain localhost6 localhost4.localdomain4',
        'localhost6.localdomain ip6-loopback 127.0.0.1 127.0.0.1. 127.1 127.255.255.254 0x7f.1 0177.0.0.1 2130706433 127.0.0.1:5678',
        '0.0.0.0 0 0.0.0.1 me:secret@127.0.0.1:5678 n8n.example.com@localhost %6cocalhost １２７.0.0.1 [::1] [::1]:5678',
        '[0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::FFFF:7F00:1] [::ffff:0.0.0.0] [::127.0.0.1] [64:ff9b::127.0.0.1]',
      ],
      privateNetwork: [
        '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1.20:5678 169.254.1.1 100.64.0.1',
        '[fc00::1] [fdff::1] [FD12:3456::1]:5678 [fe80::1] [febf::1] [fec0::1] [::ffff:10.0.0.1] [64:ff9b::a00:1]',
        'notlocalhost localhost4x.localdomain n8n N8N:5678 n8n. nas.local NAS.Local. n8n.internal host.docker.internal box.lan',
        'box.home.arpa web.localdomain',
      ],
      anywhere: [
        'n8n.example.com n8n.example.com. localhost.example.com notlocalhost.example local.example.com n8n.local.example.com mylocal.com',
        '8.8.8.8 1.0.0.0 11.0.0.1 9.255.255.255 126.255.255.255 128.0.0.1 172.15.255.255 172.32.0.1 192.167.1.1 192.169.0.1 169.253.1.1',
        '169.255.1.1 100.63.255.255 100.128.0.1 localhost@n8n.example.com 127.0.0.1.example.com [2001:db8::1] [2600::] [fbff::1]',
        '[fe00::1] [ff02::1] [::ffff:8.8.8.8] [64:ff9b::8.8.8.8] [1::] [1::1]',
      ],
    };
    const hosts = Object.entries(table).flatMap(([where, lines]) => lines.flatMap((line) => line.split(' ')).map((host) => [host, where]));
    it.each(hosts)('%s: %s', (host, where) => {
      expect(whereIs(at(host))).toBe(where);
    });
  });

  it.each<[service: string, receiver: string, Reach]>([
    ['scheduling.example.com', 'localhost', 'impossible'],
    ['scheduling.example.com', '192.168.1.20', 'unlikely'],
    ['scheduling.example.com', 'n8n', 'unlikely'],
    // A name in a private network may also be a name of this machine.
    ['scheduling.lan', 'localhost', 'unlikely'],
    ['10.0.0.1', '192.168.1.20', 'possible'],
    ['localhost', 'localhost', 'possible'],
    ['localhost', 'n8n.example.com', 'possible'],
  ])('a service at %s delivering to %s: %s', (service, receiver, reach) => {
    expect(reachOf(`https://${service}/api/v1`, at(receiver))).toBe(reach);
  });

  it.each(['', 'n8n.example.com/webhook', 'localhost:5678/webhook', 'ftp://example.com/a', '/webhook/5b0c'])(
    'nothing can be delivered to %j',
    async (address) => {
      expect(await refusalOf(() => checkReceiver(address))).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining(address === '' ? 'an empty address' : `"${address}"`) as string,
      });
    },
  );

  describe('the sentence', () => {
    const about = (receiver: string, service = 'https://scheduling.example.com/api/v1') => doubtAbout(service, receiver, 'Move.');

    it('names both ends, without what comes before or after the host', () => {
      const doubt = about('http://me:secret@LOCALHOST:5678/webhook/5b0c/webhook?a=b');
      expect(doubt).toMatchObject({ reach: 'impossible', error: { kind: 'invalid', advice: 'Move.' } });
      expect(doubt?.error.message).toBe(
        `${brand.name} at scheduling.example.com cannot deliver to http://localhost:5678: only this machine can reach that address, so no events would arrive.`,
      );
    });

    it('for a doubt says what kind of address it is', () => {
      expect(about(at('192.168.1.20:5678'))?.error.message).toContain('http://192.168.1.20:5678, an address in a private network');
      expect(about(at('localhost'), 'https://scheduling.lan/api/v1')?.error.message).toContain(
        'http://localhost, an address of this machine only',
      );
    });

    it('is not shown if there is no reason for it', () => {
      expect(about('https://n8n.example.com/webhook/5b0c/webhook')).toBeUndefined();
    });
  });
});
