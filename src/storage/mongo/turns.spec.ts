import { Turns } from './turns.js';

describe('Turns', () => {
  const later = async () => {
    await new Promise(setImmediate);
  };

  it('runs work on one subject in order, one after the other', async () => {
    const turns = new Turns();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await later();
      log.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all(['a', 'b', 'c'].map((n) => turns.take('subject', work(n))));
    expect(results).toStrictEqual(['a', 'b', 'c']);
    expect(log).toStrictEqual(['a', 'b', 'c'].flatMap((n) => [`${n} begins`, `${n} ends`]));
  });

  it('lets work on another subject begin at once', async () => {
    const turns = new Turns();
    const never = turns.take('one', () => new Promise<never>(() => undefined));
    await expect(turns.take('another', async () => 'done')).resolves.toBe('done');
    expect(never).toBeInstanceOf(Promise);
  });

  it('gives the next its turn after a failure, and tells it nothing of that', async () => {
    const turns = new Turns();
    const failing = turns.take('subject', async () => {
      throw new Error('failed');
    });
    const next = turns.take('subject', async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    await expect(next).resolves.toBe('done');
  });

  it('forgets a subject when nobody works on it any more', async () => {
    const turns = new Turns();
    const works = [later, () => Promise.reject(new Error('failed')), later];
    const taken = Promise.allSettled(works.map((work) => turns.take('subject', work)));
    expect(turns.size).toBe(1);
    await taken;
    expect(turns.size).toBe(0);
  });
});
