import fs from 'node:fs';
import { signedHeaders } from './secrets.js';

it('signedHeaders produces the signature documented in docs/guides/webhooks.md', () => {
  const page = fs.readFileSync('docs/guides/webhooks.md', 'utf8');
  const [, lines] = /## A message\n\n```\n(.*?)\n```/s.exec(page)!;
  const [head, body] = lines!.split('\n\n') as [string, string];
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)![1]!;
  const [secret] = /whsec_[A-Za-z0-9+/=]{44}/.exec(page)!;
  const now = new Date(Number(header('webhook-timestamp')) * 1000);
  const signed = signedHeaders(header('webhook-id'), body, [secret], now);
  expect(header('webhook-signature')).toBe(signed['webhook-signature']);
});
