import { faultsIn, mostWords } from '../../tools/check/words/rules.ts';
import { literals, prose, values } from '../../tools/check/words/texts.ts';

const found = (text: string): string[] => faultsIn(text).map(({ found: words }) => words);

describe('finds what the style page rules out', () => {
  it.each([
    ['Enter your e-mail address.', 'e-mail'],
    ['The booking was carried out.', 'carried out'],
    ['Hand it over to a queue.', 'Hand it over'],
    ['Whatever comes is kept.', 'Whatever'],
    ['The first poll takes stock.', 'takes stock'],
    ['The id stands in the log.', 'stands in'],
    ['This is no JSON.', 'is no '],
    ['The booking is cancelled already.', 'is cancelled already'],
    ['It reads 25 at the most.', 'at the most'],
    ['It is held against the schema.', 'held against'],
    ['The sandbox is the scheduling service itself on your machine.', 'scheduling service itself on your machine'],
  ])('%s', (text, words) => expect(found(text)).toEqual([words]));

  it('names the word to write in its place', () => expect(faultsIn('by e-mail')).toEqual([{ at: 3, found: 'e-mail', instead: 'email' }]));

  it('reports a sentence that is too long, even over several lines', () => {
    const [fault, ...others] = faultsIn(`Short. ${'word '.repeat(mostWords)}\nand more.`);
    expect([fault?.instead, others]).toEqual([`shorter sentences: this one has ${mostWords + 2} words`, []]);
  });
});

describe('ignores', () => {
  it.each([
    'There is no booking.',
    'It is no longer valid.',
    'An HTTP node stands in for the CRM.',
    'Email the invitee.',
    `${'Word '.repeat(mostWords - 1)}end. ${'word '.repeat(mostWords - 1)}end.`,
  ])('%s', (text) => expect(found(text)).toEqual([]));
});

describe('in a file it reads', () => {
  it('the prose of a document, not its code and addresses, and reports the right place', () => {
    const text = 'An `e-mail` field.\n\n```sh\nmail e-mail\n```\n\n[Whoever](e-mail.md) reads e-mail.\n';
    expect(found(prose(text))).toEqual(['Whoever', 'e-mail']);
    expect(prose(text)).toHaveLength(text.length);
  });

  it('the texts of a program, not its comments and keys', () => {
    const text = "// an e-mail\nconst help = 'the e-mail of';\nconst key = 'e-mail';\nconst page = html`<p>${help} by e-mail</p>`;\n";
    expect(found(literals(text))).toEqual(['e-mail', 'e-mail']);
    expect(literals(text)).toHaveLength(text.length);
  });

  it('what a definition shows, not its names', () => {
    const text = '{ "name": "e-mail", "description": "By e-mail.", "content": "Hand\\nit over" }';
    expect(found(values(text, ['description', 'content']))).toEqual(['e-mail']);
  });
});
