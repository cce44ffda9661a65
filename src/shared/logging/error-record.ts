import { pino } from 'pino';
import { maskSecrets } from './redaction.js';

/** Longest logged message or stack, in characters. */
const MAX_LENGTH = 8 * 1024;

/** The logged part of an error and its causes. Nothing else is logged: drivers attach records and commands to errors. */
export function toErrorRecord(thrown: unknown) {
  if (!isErrorLike(thrown)) return { type: typeof thrown, message: textOf(describe(thrown)) };
  const { type, message, stack, code } = pino.stdSerializers.err(thrown);
  return {
    type,
    message: textOf(message),
    ...(typeof code === 'string' && { code: textOf(code) }),
    ...(typeof code === 'number' && { code }),
    stack: textOf(stack),
  };
}

const isErrorLike = (thrown: unknown): thrown is Error =>
  typeof (thrown as Partial<Error> | null | undefined)?.message === 'string';

const describe = (thrown: unknown) =>
  typeof thrown === 'string' ? thrown : Object.prototype.toString.call(thrown);

const textOf = (text: string) => maskSecrets(text.slice(0, MAX_LENGTH));
