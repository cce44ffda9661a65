import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { errorPage } from '../../scripts/error-page.mjs';
import { ERRORS } from '../../src/shared/errors/error-codes.js';

/** Of all pages and decisions, without the generated table of errors. */
const MAX_WORDS = 24_000;
const MAX_WORDS_OF_PAGE = 1_500;
const MAX_WORDS_OF_DECISION = 150;
const MAX_CELL = 200;

const read = (file: string) => fs.readFileSync(file, 'utf8');
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
});
const FILES = listed.trim().split('\n').filter(fs.existsSync);
const PAGES = FILES.filter((file) => /^docs\/(?!api\/|decisions\/|index\.md)/.test(file));
const DECISIONS = FILES.filter((file) => /^docs\/decisions\/\d/.test(file));
const ERRORS_PAGE = 'docs/guides/error-codes.md';

const prose = (text: string) => text.replace(/^ *```.*?^ *```$/gms, '');
/** The number of words in text and tables, without code blocks. */
const wordsOf = (file: string) =>
  prose(read(file))
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** A heading's anchor, as code hosts and the site make it. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
const anchorsOf = (file: string) =>
  [...prose(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

describe('The documentation', () => {
  it.each(FILES)('has no dead links: %s', (file) => {
    const links = prose(read(file)).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g);
    const dead = [...links].filter(([, target, anchor]) => {
      if (/^[a-z]+:/.test(target!)) return false;
      const linked = target ? path.join(path.dirname(file), target) : file;
      if (!fs.existsSync(linked)) return true;
      return anchor !== undefined && !anchorsOf(linked).includes(anchor);
    });
    expect(dead.map(([text]) => text)).toEqual([]);
  });

  it.each(PAGES)('is short, and starts with what its reader can do: %s', (file) => {
    if (file !== ERRORS_PAGE) expect(wordsOf(file)).toBeLessThanOrEqual(MAX_WORDS_OF_PAGE);
    const cells = read(file).matchAll(/^\|.*\|$/gm);
    const long = [...cells].flatMap(([row]) =>
      row.split(/(?<!\\)\|/).filter((cell) => cell.trim().length > MAX_CELL),
    );
    expect(long).toEqual([]);
    // An imperative, such as "Restore a deleted client", never a heading, a list or a table.
    expect(read(file)).toMatch(/^# .+\n\n(?!This |The |A |An )[A-Z][a-z]+,? [^|]+?\.[ \n]/);
  });

  it('is short as a whole', () => {
    const counted = [...PAGES, ...DECISIONS, 'docs/decisions/README.md'];
    const words = counted
      .filter((file) => file !== ERRORS_PAGE)
      .reduce((sum, file) => sum + wordsOf(file), 0);
    expect(words).toBeLessThanOrEqual(MAX_WORDS);
  });

  it.each(DECISIONS)('has a short decision listed in the index: %s', (file) => {
    expect(wordsOf(file)).toBeLessThanOrEqual(MAX_WORDS_OF_DECISION);
    expect(read('docs/decisions/README.md')).toContain(`](${path.basename(file)})`);
  });

  it('names only scripts that are in package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((file) => [
      ...read(file).matchAll(/npm run ([a-z][a-z-]*(?::[a-z]+)?)/g),
    ]).map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('has every page in the navigation and in llms.txt', () => {
    const navigation = read('docs/.vitepress/config.mjs');
    const map = read('docs/public/llms.txt');
    for (const file of PAGES) {
      const address = file.replace(/^docs/, '').replace(/(index)?\.md$/, '');
      expect(navigation).toContain(`'${address}'`);
      expect(map).toContain(`](${address})`);
    }
  });

  it('lists every error of the service', () => {
    expect(read(ERRORS_PAGE)).toBe(errorPage(ERRORS));
  });
});
