import { isIP } from 'node:net';
import { EnvError, makeExactValidator } from 'envalid';
import ipaddr from 'ipaddr.js';

const reject = (takes: string): never => {
  throw new EnvError(`takes ${takes}`);
};

export const integer = (least: number, most: number) =>
  makeExactValidator((raw) => {
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : NaN;
    return value >= least && value <= most
      ? value
      : reject(`a whole number from ${least} to ${most}`);
  });

export const oneOf = <const Word extends string>(...words: Word[]) =>
  makeExactValidator<Word>(
    (raw) => words.find((word) => word === raw) ?? reject(words.join(' or ')),
  );

export const flag = makeExactValidator((raw) =>
  raw === 'true' ? true : raw === 'false' ? false : reject('true or false'),
);

/** Free text that matches a pattern; `takes` describes it for the operator. */
export const text = (pattern: RegExp, takes: string) =>
  makeExactValidator((raw) => (pattern.test(raw) ? raw : reject(takes)));

const listOf = (isItem: (item: string) => boolean, takes: string) =>
  makeExactValidator<readonly string[]>((raw) => {
    const items = raw.split(',').map((item) => item.trim());
    return items.every(isItem) ? items : reject(takes);
  });

/** Addresses or networks in CIDR form, separated by commas. */
export const networks = listOf((item) => {
  const [address = ''] = item.split('/', 1);
  // ipaddr.js alone would also accept 10/8 and octal 010.0.0.1. A prefix of 0 would trust everybody.
  if (isIP(address) === 0) return false;
  return item === address || (ipaddr.isValidCIDR(item) && !/\/0+$/.test(item));
}, 'IP addresses or networks such as 10.0.0.0/8, separated by commas');

/** Origins as browsers send them, separated by commas. */
export const origins = listOf(
  (item) => URL.canParse(item) && new URL(item).origin === item,
  'origins such as https://admin.example.com, separated by commas',
);

// Words of example secrets, in this documentation and others'. They are too long to occur in a random secret by chance.
const PLACEHOLDER =
  /change.?me|example|placeholder|secret|password|default|keyboard|insert|replace|abcdefgh/i;
const REPETITION = /^(.+)\1+$/s;

/** A secret of at least 32 bytes that is not a placeholder. Messages never contain the value. */
export const secret = makeExactValidator((raw) => {
  if (PLACEHOLDER.test(raw) || REPETITION.test(raw) || new Set(raw).size < 8) {
    reject('a secret of your own, made for example by: openssl rand -base64 48');
  }
  return Buffer.byteLength(raw) >= 32 ? raw : reject('at least 32 bytes');
});

/** A MongoDB connection string. Messages never contain the value, which may hold a password. */
export const mongodbUri = text(
  /^mongodb(\+srv)?:\/\/.+/,
  'a connection string that starts with mongodb:// or mongodb+srv://',
);
