// The message for a license key with a missing part.
import { KEY, fails, replies, scenario, validation } from './scenario-list.mjs';

export function addIncompleteKeys() {
  const text = 'No license has this key. Compare it with the one your vendor sent you.';
  for (const [isCutOff, ...keys] of [
    [true, ...[4, 5, 10, 28, 29, 33, 38, 42].map((length) => KEY.slice(0, length))],
    [true, KEY.slice(0, 42).toLowerCase(), ` ${KEY.slice(0, 42)}\n`],
    [false, KEY, 'LIC', 'LIC-665f1c2ab7e4a9001234567x', `${KEY}0`, KEY.slice(1), 'LIC_665f1c2a'],
    [false, `${KEY.slice(0, 30)}\u00e4`],
  ]) {
    for (const key of keys) {
      const message = isCutOff ? `${text} This is not a complete license key.` : text;
      scenario(
        `activate ${isCutOff ? 'reports' : 'does not report'} that a key is incomplete: ${JSON.stringify(key)}`,
        {},
        replies(validation('invalid')),
        fails('activate', 'unknown_key', { argument: key, throws: { message } }),
      );
    }
  }
}
