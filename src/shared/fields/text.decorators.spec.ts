import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsText } from './text.decorators.js';

class Probe {
  @IsText(2, 4)
  text!: string;
}

/** The text in its stored form; undefined if it is rejected. */
function stored(text: string): string | undefined {
  const probe = plainToInstance(Probe, { text });
  return validateSync(probe).length === 0 ? probe.text : undefined;
}

describe('IsText', () => {
  it.each([
    ['ab', 'ab'],
    ['abcd', 'abcd'],
    ['  ab\n', 'ab'],
    ['\u00a0abcd\ufeff', 'abcd'],
    ['a b', 'a b'],
    ['äöüß', 'äöüß'],
    ['東京', '東京'],
    ['🚀🚀🚀🚀', '🚀🚀🚀🚀'],
  ])('stores %j as %j', (text, result) => {
    expect(stored(text)).toBe(result);
  });

  it.each(['', 'a', ' a ', 'abcde', '🚀', '🚀🚀🚀🚀🚀'])(
    'rejects %j, which has too few or too many characters',
    (text) => {
      expect(stored(text)).toBeUndefined();
    },
  );
});
