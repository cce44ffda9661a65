import { ProgressLine } from './progress-line.js';

function shown(isTTY: boolean, work: (progress: ProgressLine, wait: (ms: number) => void) => void) {
  let now = 0;
  const texts: string[] = [];
  const write = (text: string) => texts.push(text) > 0;
  work(new ProgressLine({ isTTY, write }, () => now), (ms) => (now += ms));
  return texts;
}

describe('ProgressLine', () => {
  it('rewrites one line on a terminal, with a bar and the time left', () => {
    const texts = shown(true, (progress, wait) => {
      progress.begin('Copying', 4_000);
      wait(30_000);
      progress.add(1_000);
      progress.end();
    });
    expect(texts.slice(1)).toEqual([
      '\rCopying [######..................] 1,000 of 4,000, 1 min 30 s left\u001b[K',
      '\rCopying [######..................] 1,000 of 4,000, 1 min 30 s left\u001b[K',
      '\n',
    ]);
  });

  it('prints a plain line every ten seconds elsewhere', () => {
    const texts = shown(false, (progress, wait) => {
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
