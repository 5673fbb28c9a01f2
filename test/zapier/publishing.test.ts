import { definition } from './definition.ts';
import { rules } from './publishingRules.ts';

describe.each(rules)('Zapier publishes only if $says ($id)', ({ complaints, spoil }) => {
  test('the app does', async () => {
    expect(complaints(await definition())).toEqual([]);
  });

  test('an app that breaks the rule would be found', async () => {
    const spoilt = await definition();
    spoil(spoilt);
    expect(complaints(spoilt)).not.toEqual([]);
  });
});
