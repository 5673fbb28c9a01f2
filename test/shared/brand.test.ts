import { brand, checkBrand } from '../../shared/brand.ts';

const good = {
  name: 'Termin & Zeit',
  slug: 'termin-zeit',
  baseUrl: 'https://api.termin-zeit.example/api/v1',
  headerPrefix: 'X-TerminZeit',
  docsUrl: 'https://termin-zeit.example/entwickler',
  oauth: {},
};

it('brand.json is valid, with and without other OAuth addresses', () => {
  expect(checkBrand({ ...brand })).toEqual(brand);
  const { oauth: _, ...rest } = good;
  expect(checkBrand(rest)).toEqual(good);
  const oauth = { tokenUrl: 'https://login.termin-zeit.example/token' };
  expect(checkBrand({ ...good, oauth }).oauth).toEqual(oauth);
});

it.each([
  ['name', 'TZ'],
  ['slug', 't2-z3-x4'],
  ['headerPrefix', 'X2'],
])('the shortest and longest forms are fine: "%s" as %s', (entry, value) => {
  expect(checkBrand({ ...good, [entry]: value })).toHaveProperty(entry, value);
});

it.each<[string, unknown, string]>([
  ...['T', 'Termin\nZeit', 'Termin\u2028Zeit', ['T', 'Z']].map((name): [string, unknown, string] => ['name', name, 'must be text']),
  ...['Termin Zeit', '2termin', 'termin-'].map((slug): [string, unknown, string] => ['slug', slug, 'must be lower-case letters']),
  ...['-Termin', 'X Termin', 'X-Termin:'].map((prefix): [string, unknown, string] => ['headerPrefix', prefix, 'must be letters']),
  ['baseUrl', 'https://api.termin-zeit.example/v1', 'must be a URL that ends in /api/v1, such as https://example.com/api/v1.'],
  ['baseUrl', 'termin-zeit/api/v1', 'must be a URL that ends in /api/v1'],
  ['docsUrl', 'entwickler', 'must be a URL'],
  ['docsUrl', 7, 'must be a URL'],
  ['oauth', null, 'must hold addresses.'],
  ['oauth', 'https://login.termin-zeit.example', 'must hold addresses.'],
  ['oauth.tokenUrl', { tokenUrl: 'token' }, 'must be a URL'],
  ['oauth.loginUrl', { loginUrl: 'https://login.termin-zeit.example' }, 'is not known.'],
  ['colour', { dark: 'red' }, 'is not known.'],
])('a mistake in "%s" stops the start, and says what %j must be', (entry, value, rule) => {
  expect(() => checkBrand({ ...good, [entry.split('.')[0] ?? '']: value })).toThrow(`brand.json cannot be used: "${entry}" ${rule}`);
});

it.each(['name', 'slug', 'baseUrl', 'headerPrefix', 'docsUrl'])('a missing "%s" is named', (entry) => {
  const rest = Object.fromEntries(Object.entries(good).filter(([key]) => key !== entry));
  expect(() => checkBrand(rest)).toThrow(`"${entry}" is missing`);
});
