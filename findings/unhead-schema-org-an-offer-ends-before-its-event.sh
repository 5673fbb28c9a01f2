#!/usr/bin/env bash
# Package: @unhead/schema-org 3.1.3 (with unhead 3.1.3), with which Nuxt and other sites describe events for search engines (schema.org),
#   here with a fixed clock: 5 January 2028.
# The good guess: the page says what the site gave. An offer without an end (priceValidUntil) or a stock (availability) has none, and
#   opening hours without an end are refused or stay open.
# What is seen: each offer gets an end, 30 December of the next year, and "in stock". The ticket of a concert in July 2030 "ends" half a
#   year before the concert, and on a page that is built on 29 December and on one of 2 January the ends differ by a year. A sold-out event,
#   whose site leaves the stock away, is in stock. Hours that begin at 10:00 end at 23:59.
# Why it matters: a search engine may leave out an offer that has ended, so nobody finds the booking of a retreat in two years; a full
#   course is shown with places left, and a shop that closes at 17:00, entered elsewhere, is open until midnight.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @unhead/schema-org@3.1.3 unhead@3.1.3 >> npm.log 2>&1
cat > page.mjs <<'END'
const Real = Date;
let now;
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length > 0 ? given : [now]));
  }
  static now() {
    return now;
  }
};
const { defineEvent, defineLocalBusiness, UnheadSchemaOrg, useSchemaOrg } = await import('@unhead/schema-org');
const { createHead, renderSSRHead } = await import('unhead/server');
const build = async (node) => {
  const head = createHead({ disableDefaults: true, plugins: [UnheadSchemaOrg({ host: 'https://example.com' }, () => ({ host: 'https://example.com' }))] });
  useSchemaOrg(head, [node]);
  const { bodyTags, headTags } = await renderSSRHead(head);
  return JSON.parse(/<script[^>]*>(.*?)<\/script>/s.exec(headTags + bodyTags)[1])['@graph'][0];
};
const show = ({ priceValidUntil = 'none', availability = 'none' }) => `price until ${priceValidUntil.slice(0, 10)}, stock ${availability.replace('https://schema.org/', '')}`;
const place = { name: 'Hall', address: { streetAddress: '1 Main St', addressCountry: 'US' } };
for (const [clock, offer] of [
  ['2028-01-05', { price: 12.5, priceCurrency: 'EUR' }],
  ['2028-12-29', { price: 12.5, priceCurrency: 'EUR' }],
  ['2029-01-02', { price: 12.5, priceCurrency: 'EUR' }],
  ['2028-01-05', { price: 12.5, priceCurrency: 'EUR', priceValidUntil: '2030-07-15', availability: 'SoldOut' }],
]) {
  now = Real.parse(`${clock}T12:00Z`);
  const { startDate, offers } = await build(defineEvent({ name: 'Concert', startDate: '2030-07-15T20:00', location: place, offers: [offer] }));
  console.log(`built on ${clock}, given ${JSON.stringify(offer)}: concert ${startDate}, ${show(offers[0] ?? offers)}`);
}
const shop = await build(defineLocalBusiness({ ...place, image: '/a.png', openingHoursSpecification: [{ dayOfWeek: 'Monday', opens: '10:00' }] }));
const [{ opens, closes }] = [shop.openingHoursSpecification].flat();
console.log(`a shop that opens at 10:00: ${opens} to ${closes}`);
END
TZ=UTC node page.mjs > seen
cat seen
cat > expected <<'END'
built on 2028-01-05, given {"price":12.5,"priceCurrency":"EUR"}: concert 2030-07-15T20:00, price until 2029-12-30, stock InStock
built on 2028-12-29, given {"price":12.5,"priceCurrency":"EUR"}: concert 2030-07-15T20:00, price until 2029-12-30, stock InStock
built on 2029-01-02, given {"price":12.5,"priceCurrency":"EUR"}: concert 2030-07-15T20:00, price until 2030-12-30, stock InStock
built on 2028-01-05, given {"price":12.5,"priceCurrency":"EUR","priceValidUntil":"2030-07-15","availability":"SoldOut"}: concert 2030-07-15T20:00, price until 2030-07-15, stock SoldOut
a shop that opens at 10:00: 10:00 to 23:59
END
diff expected seen
