import { mailableAddress } from './address.js';
import { render } from './render.js';

describe('A text with placeholders', () => {
  const of = (text: string, values: Parameters<typeof render>[2]) => render('S', text, values);

  it('is filled in once, so a value that looks like a placeholder stays text', () => {
    const { text, html } = of('{{a}} and {{ b }}', { a: '{{b}}', b: '$& $1' });
    expect(text).toBe('\u2068{{b}}\u2069 and \u2068$& $1\u2069\n');
    expect(html).toContain('<p>\u2068{{b}}\u2069 and \u2068$&amp; $1\u2069</p>');
  });

  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;'],
    ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x'],
    ['a\r\nBcc: b@evil.example\r\n\r\nbody', 'a Bcc: b@\u2060evil.\u2060example body'],
    ['evil.example/login', 'evil.\u2060example/\u2060login'],
    ['https://evil.example', 'https:\u2060/\u2060/\u2060evil.\u2060example'],
    ['\u202egpj.exe\u2066', '\u2068gpj.\u2060exe\u2069'],
  ])('shows %j as text on one line, without a link', (value, shown) => {
    const { html, text, subject } = render('{{v}}', 'Hello {{v}}!', { v: value });
    expect(html).toContain(shown);
    expect(html).not.toMatch(/<(?!\/?p>|!doctype|\/?html|\/?body)/);
    expect(text.split('\n')).toHaveLength(2);
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('shows keys and links as they are, and makes only links clickable', () => {
    const key = { as: 'key', text: 'LIC-1-2' } as const;
    const link = { as: 'link', text: 'https://a.local/#b' } as const;
    const { text, html } = of('{{key}}\n{{link}}\n\nEnd {{other}}', { key, link });
    expect(text).toBe('LIC-1-2\nhttps://a.local/#b\n\nEnd {{other}}\n');
    expect(html).toContain(
      '<code>LIC-1-2</code><br>\n<a href="https://a.local/#b">https://a.local/#b</a></p>\n<p>End',
    );
  });
});

it.each([
  ['ada@studio.example', 'ada@studio.example'],
  ['ada+x@Bücher.example', 'ada+x@xn--bcher-kva.example'],
  ['jürgen@studio.example', 'jürgen@studio.example'],
  ['"a b"@studio.example', undefined],
  ['a@b@studio.example', undefined],
  ['a@studio.invalid', undefined],
  ['a@localhost', undefined],
  ['a\r\nRCPT TO:<b@c.example>@studio.example', undefined],
  ['a@studio.example\r\nRCPT TO:<b@c.example>', undefined],
  ['a@studio.example>', undefined],
  ['<a@studio.example>', undefined],
  ['a,b@studio.example', undefined],
  ['a\u200b@studio.example', undefined],
  ['', undefined],
])('The address %j is mailed to as %j', (address, mailed) => {
  expect(mailableAddress(address)).toBe(mailed);
});
