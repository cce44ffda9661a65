import { aLicense, aProject, activeUntil } from '../../test/builders.js';
import { NO_END, PERPETUAL } from '../licenses/term.js';
import { render } from '../mail/render.js';
import { DEFAULT_TEXTS, MAX_SUBJECT, MAX_TEXT } from './mail-template.js';
import { namesIn, unknownNameIn } from './placeholders.js';
import { termText } from './term-text.js';

describe('A placeholder', () => {
  it('is recognized with and without spaces', () => {
    const text = '{{client.name}} {{ client.name }} {{\nclient.name\t}}';
    expect(unknownNameIn(text)).toBeUndefined();
    const { subject } = render(text, '', { 'client.name': 'Ada' });
    expect(subject).toMatch(/^\S?Ada\S? \S?Ada\S? \S?Ada\S?$/);
  });

  it.each([
    ['Hello {{client.nam}}', 'client.nam'],
    ['{{client.name}} {{}}', ''],
    ['{{Client.Name}}', 'Client.Name'],
    ['{{constructor}}', 'constructor'],
    ['{{#each licenses}}', '#each licenses'],
  ])('%j names an unknown placeholder', (text, unknown) => {
    expect(unknownNameIn(text)).toBe(unknown);
  });

  it.each(['{client.name}', '{{client.name', '}}{{', '{{client.name}}'])(
    '%j has only known placeholders',
    (text) => expect(unknownNameIn(text)).toBeUndefined(),
  );
});

it('The default texts are valid templates, and only the first contains the key', () => {
  const texts = Object.values(DEFAULT_TEXTS);
  for (const { subject, text } of texts) {
    expect([subject, text].map(unknownNameIn)).toEqual([undefined, undefined]);
    expect(namesIn(subject)).not.toContain('license.key');
    expect(subject.length).toBeLessThanOrEqual(MAX_SUBJECT);
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT);
  }
  expect(texts.map(({ text }) => namesIn(text).includes('license.key'))).toEqual([true, false]);
});

describe('The term of a license', () => {
  const end = new Date('2027-05-04T23:30:00.000Z');

  it.each([
    ['12 months from first use', { duration: 12, days: null }, false],
    ['1 month from first use', { duration: 1, days: null }, false],
    ['14 days from first use', { duration: null, days: 14 }, false],
    ['14-day trial from first use', { duration: null, days: 14 }, true],
    ['1-month trial from first use', { duration: 1, days: null }, true],
    ['until 4 May 2027', { endIsFixed: true, expiresAt: end }, false],
    ['until 4 May 2027', activeUntil(end), false],
    ['trial until 4 May 2027', activeUntil(end), true],
    ['perpetual', { ...PERPETUAL, expiresAt: NO_END }, false],
    ['perpetual', { ...PERPETUAL, expiresAt: NO_END }, true],
  ])('reads %j', (expected, fields, isTrial) => {
    expect(termText(aLicense(aProject(), fields), isTrial)).toBe(expected);
  });
});
