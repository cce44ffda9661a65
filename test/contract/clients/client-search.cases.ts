import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { searchForm } from '../../../src/shared/search/search-form.js';
import { engines } from '../engines.js';
import { firstPage } from '../pages.js';
import { useStore } from '../use-store.js';

/** The last code point that is a character: two follow that are not. */
const LAST = '\u{10fffd}';

/** Names with characters that searches or collations treat in special ways. */
const NAMES = [
  'Acme',
  'ACME Group',
  'acmf',
  'Acm',
  'The Acme',
  '100% Ltd',
  '100 Ltd',
  'a_b',
  'axb',
  'a.b',
  'a*b',
  'a(b',
  'a[b',
  'a\\b',
  'a$b',
  'a^b',
  '^acme',
  'a"b',
  "a'b",
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ΟΔΟΣ',
  'ΟΔΟΣΑ',
  'Ａｃｍｅ full-width',
  '🚀 Rockets',
  '🚁 Helicopters',
  'x',
  `x${LAST}`,
  `x${LAST}${LAST}`,
  `x${LAST}y`,
  'y',
  LAST,
  `${LAST}${LAST}`,
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '\u{10000}',
];

const SEARCHES = [
  ...NAMES,
  'a',
  'A',
  'acme ',
  'acme g',
  '%',
  '100%',
  '_',
  'a_',
  'a.',
  '.',
  '.*',
  'a*',
  '(',
  'a(',
  '[a-z]',
  'a[',
  '\\',
  'a\\',
  '$',
  'a$',
  '^',
  '"',
  "' OR 1=1 --",
  'ß',
  'stra',
  'straß',
  'i',
  'İ',
  'ο',
  'ＡＣ',
  '🚀',
  '🚁',
  'next@acme.test',
  'office@',
  'OFFICE@ACME',
  'acme.test',
  'ｏｆｆｉｃｅ',
  'νίκος',
  'νίκος@',
  'ΝΊΚΟΣ@ACME',
  'νίκο',
  'wide@',
  'ｗｉ',
  'café@',
  'cafe\u0301@',
];

const EMAILS = [
  // Neighbors: the second is the first text after those that begin with the first.
  'next@acme.test',
  'next@acme.tesu',
  'νίκος@acme.test',
  'ｗｉｄｅ@acme.test',
  'cafe\u0301@acme.test',
];

describe.each(engines)('a search for clients on $name', ({ open }) => {
  const owner = newAccountId();
  const emailOf = (index: number) =>
    EMAILS[index] ?? (index % 2 ? `office@acme-${index}.test` : `büro-${index}@acme.test`);
  const { store, stored } = useStore(open);
  beforeAll(async () => {
    for (const [index, name] of NAMES.entries()) {
      await stored.client({ owner, name, email: emailOf(index) });
    }
    await stored.client({ name: 'Acme of another user' });
  });

  const search = async (text: string) => {
    const page = await store.clients.listOwned(owner, searchForm(text), firstPage());
    return page.data.map(({ name }) => name).toSorted();
  };

  it.each(SEARCHES)(
    'for %j finds the clients whose name or address begins with exactly that, in any case',
    async (text) => {
      const begins = (each: string) => searchForm(each).startsWith(searchForm(text));
      const expected = NAMES.filter((name, index) => begins(name) || begins(emailOf(index)));
      expect(await search(text)).toStrictEqual(expected.toSorted());
    },
  );

  it('finds a client by every prefix of its name', async () => {
    const missed: string[] = [];
    for (const name of NAMES) {
      const characters = [...name];
      for (let length = 1; length <= characters.length; length++) {
        const part = characters.slice(0, length).join('');
        if (!(await search(part)).includes(name)) missed.push(`${name} by ${part}`);
      }
    }
    expect(missed).toStrictEqual([]);
  });
});
