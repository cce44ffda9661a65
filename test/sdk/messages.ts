import fs from 'node:fs';
import type { Thrown } from './runner-process.js';

const { errors, options } = JSON.parse(fs.readFileSync('sdk/messages.json', 'utf8')) as {
  readonly errors: Readonly<Record<string, string | readonly string[]>>;
  readonly options: Readonly<Record<string, string>>;
};

interface Given {
  readonly option?: string | undefined;
  /** Of the service. */
  readonly message?: string | undefined;
  readonly folder: string;
}

/** Compares a message with `sdk/messages.json`, unless the service has sent it. */
export function expectMessage(thrown: Thrown, { option, message, folder }: Given): void {
  if (message !== undefined) return expect(thrown.message).toBe(message);
  const [first] = thrown.message.split(' ');
  if (option !== undefined) {
    // Languages write the same name as machineName and machine_name.
    expect(first!.replaceAll('_', '').toLowerCase()).toBe(option.toLowerCase());
    const texts = Object.values(options).map((text) => text.replace('{option}', first!));
    expect(texts).toContain(thrown.message);
    return;
  }
  const texts = [errors[thrown.code] ?? []].flat().map((text) => text.replace('{folder}', folder));
  const [, error] = /\((\w+)\)\.$/.exec(thrown.message) ?? [];
  expect(texts.map((text) => text.replace('{error}', String(error)))).toContain(thrown.message);
}
