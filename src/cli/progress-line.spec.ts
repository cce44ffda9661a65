import { ProgressLine } from './progress-line.js';

function shown(work: (progress: ProgressLine, wait: (ms: number) => void) => void) {
  let now = 0;
  const texts: string[] = [];
  const write = (text: string) => texts.push(text) > 0;
  work(new ProgressLine({ isTTY: false, write }, () => now), (ms) => (now += ms));
  return texts;
}

describe('ProgressLine', () => {
  it('prints a plain line every ten seconds where it is no terminal, with the time left', () => {
    const texts = shown((progress, wait) => {
      progress.begin('Copying', 30);
      for (let second = 1; second <= 25; second++) {
        wait(1_000);
        progress.add(1);
      }
    });
    expect(texts).toEqual([
      'Copying: 0 %, 0 of 30\n',
      'Copying: 33 %, 10 of 30, 20 s left\n',
      'Copying: 66 %, 20 of 30, 10 s left\n',
    ]);
  });
});
