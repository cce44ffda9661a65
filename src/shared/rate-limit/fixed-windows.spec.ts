import { FixedWindows, REMEMBERED } from './fixed-windows.js';

const MINUTE = 60_000;

describe('FixedWindows', () => {
  let windows: FixedWindows;
  const begin = (key: string, now: number) =>
    windows.add(key, { hits: 1, beganAt: now, endsAt: now + MINUTE });
  beforeEach(() => {
    windows = new FixedWindows();
  });

  it('find the open window of each key, until it ends', () => {
    const [a, b] = [begin('a', 1000), begin('b', 2000)];
    expect(windows.find('a', 1000)).toBe(a);
    expect(windows.find('a', 1000 + MINUTE - 1)).toBe(a);
    expect(windows.find('a', 1000 + MINUTE)).toBeUndefined();
    expect(windows.find('b', 1000 + MINUTE)).toBe(b);
    expect(windows.find('c', 1000)).toBeUndefined();
  });

  it('find no window that begins in the future, as the clock was set back', () => {
    begin('a', 1000);
    expect(windows.find('a', 999)).toBeUndefined();
  });

  it('remember the most recently used keys, up to their bound', () => {
    for (let key = 0; key <= REMEMBERED; key++) {
      begin(String(key), 0);
      windows.find('0', 0);
    }
    expect(windows.find('0', 0)).toBeDefined();
    expect(windows.find('1', 0)).toBeUndefined();
    expect(windows.find('2', 0)).toBeDefined();
    expect(windows.find(String(REMEMBERED), 0)).toBeDefined();
  });
});
