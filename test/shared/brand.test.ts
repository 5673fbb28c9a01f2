import { brand, checkBrand } from '../../shared/brand.ts';

const good = {
  name: 'Termin & Zeit',
  slug: 'termin-zeit',
  baseUrl: 'https://api.termin-zeit.example/api/v1',
  headerPrefix: 'X-TerminZeit',
  docsUrl: 'https://termin-zeit.example/entwickler',
  oauth: {},
};

it('brand.json is valid, and so is one that overrides the OAuth addresses', () => {
  expect(checkBrand({ ...brand })).toEqual(brand);
  expect(checkBrand({ ...good, oauth: { tokenUrl: 'https://login.termin-zeit.example/token' } }).oauth.tokenUrl).toBe(
    'https://login.termin-zeit.example/token',
  );
});

it.each([
  ['name', 'TZ'],
  ['slug', 'termin'],
  ['slug', 't2-z3-x4'],
  ['headerPrefix', 'X2'],
])('the shortest and longest forms are fine: "%s" as %s', (entry, value) => {
  expect(checkBrand({ ...good, [entry]: value })).toHaveProperty(entry, value);
});

it.each([
  ['name', { ...good, name: 'T' }],
  ['name', { ...good, name: 'Termin\nZeit' }],
  ['name', { ...good, name: 'Termin\u2028Zeit' }],
  ['name', { ...good, name: 7 }],
  ['name', { ...good, name: ['T', 'Z'] }],
  ['slug', { ...good, slug: 'Termin Zeit' }],
  ['slug', { ...good, slug: 'termin zeit' }],
  ['slug', { ...good, slug: '2termin' }],
  ['slug', { ...good, slug: 'termin-' }],
  ['headerPrefix', { ...good, headerPrefix: '-Termin' }],
  ['headerPrefix', { ...good, headerPrefix: 'X Termin' }],
  ['docsUrl', { ...good, docsUrl: 7 }],
  ['baseUrl', { ...good, baseUrl: 'https://api.termin-zeit.example/api/v2' }],
  ['baseUrl', { ...good, baseUrl: 'termin-zeit/api/v1' }],
  ['headerPrefix', { ...good, headerPrefix: 'X-Termin:' }],
  ['docsUrl', { ...good, docsUrl: 'entwickler' }],
  ['oauth', { ...good, oauth: undefined }],
  ['oauth', { ...good, oauth: null }],
  ['oauth', { ...good, oauth: 'https://login.termin-zeit.example' }],
  ['oauth.tokenUrl', { ...good, oauth: { tokenUrl: 'token' } }],
  ['oauth.loginUrl', { ...good, oauth: { loginUrl: 'https://login.termin-zeit.example' } }],
  ['colour', { ...good, colour: 'red' }],
])('a mistake in "%s" stops the start with the name of the entry', (entry, given) => {
  expect(() => checkBrand(given)).toThrow(TypeError);
  expect(() => checkBrand(given)).toThrow(new RegExp(`^brand\\.json cannot be used: "${entry}" (must|is) [^"]+\\.$`));
});

it('without "oauth", the addresses follow the base URL', () => {
  const { oauth: _, ...rest } = good;
  expect(checkBrand(rest)).toEqual(good);
});

it('says what an entry must be', () => {
  expect(() => checkBrand({ ...good, baseUrl: 'https://api.termin-zeit.example/v1' })).toThrow(
    'brand.json cannot be used: "baseUrl" must be a URL that ends in /api/v1, such as https://example.com/api/v1.',
  );
});

it.each<[string, unknown, string]>([
  ['oauth', null, '"oauth" must hold addresses'],
  ['colour', 'red', '"colour" is not known'],
  ['colour', { dark: 'red' }, '"colour" is not known'],
])('says what "%s" as %j is', (entry, value, sentence) => {
  expect(() => checkBrand({ ...good, [entry]: value })).toThrow(`brand.json cannot be used: ${sentence}.`);
});

it.each(['name', 'slug', 'baseUrl', 'headerPrefix', 'docsUrl'])('a missing "%s" is named', (entry) => {
  const rest = Object.fromEntries(Object.entries(good).filter(([key]) => key !== entry));
  expect(() => checkBrand(rest)).toThrow(`"${entry}"`);
});
