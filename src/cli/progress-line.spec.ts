import { ProgressLine } from './progress-line.js';

it('progress is a plain line every ten seconds where it is no terminal, with the time left', () => {
  let now = 0;
  const texts: string[] = [];
  const output = { isTTY: false, write: (text: string) => texts.push(text) > 0 };
  const progress = new ProgressLine(output, () => now);
  progress.begin('Copying', 30);
  while (now < 25_000) {
    now += 1_000;
    progress.add(1);
  }
  expect(texts).toEqual([
    'Copying: 0 %, 0 of 30\n',
    'Copying: 33 %, 10 of 30, 20 s left\n',
    'Copying: 66 %, 20 of 30, 10 s left\n',
  ]);
});
