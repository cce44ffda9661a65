import type { Logger } from 'pino';
import { announce } from './announce.js';
import type { Config } from '../shared/config/config.js';

const announced = (config: Partial<Config>): string => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const logger = { info: () => undefined } as unknown as Logger;
  announce('http://127.0.0.1:3000', { dataDir: '/data', ...config } as Config, logger, []);
  const [[text]] = write.mock.calls as [[string]];
  write.mockRestore();
  return text;
};

describe('the announcement of a start', () => {
  it.each([
    ['open', /auth\/register\n +anyone can: set REGISTRATION=first /],
    ['first', /auth\/register\n +only the first account .* npm run user -- create EMAIL\n/],
    ['closed', /create an account: npm run user -- create EMAIL \(registration is closed\)\n/],
  ] as const)(
    'explains how to create an account when registration is %s',
    (registration, sentence) => {
      expect(announced({ registration })).toMatch(sentence);
    },
  );

  it('names the console, and to create an account there, unless it is turned off', () => {
    const text = announced({ registration: 'open', console: true });
    expect(text).toMatch(/ console +http:\/\/127\.0\.0\.1:3000\/console\n/);
    expect(text).toMatch(/create an account: http:\/\/127\.0\.0\.1:3000\/console\n/);
    expect(announced({ registration: 'open', console: false })).not.toContain('/console');
  });
});
