import { randomBytes } from 'node:crypto';
import { createLicense, registerDeveloper } from '../e2e/developer.js';
import { Operator } from './operator.js';
import { expectOneSentence } from './one-sentence.js';
import type { RunningService } from './running-service.js';

const FINGERPRINT = 'fingerprint-of-the-customers-machine';

describe('A rotation of LICENSE_SECRET', () => {
  const operator = new Operator({ SHUTDOWN_DRAIN: '0' });
  const [before, after] = [0, 1].map(() => randomBytes(48).toString('base64'));

  afterAll(() => operator.leave());

  it('S22: keeps every license valid, ends the use of the old secret, and is logged once', async () => {
    const first = await operator.start({ LICENSE_SECRET: before });
    const { key } = await createLicense(first, await registerDeveloper(first));
    const isActive = async (service: RunningService) => {
      const { body } = await service.post('/validate', { key, fingerprint: FINGERPRINT });
      await service.end('SIGTERM');
      return body.status === 'active';
    };
    await first.post('/validate/activate', { key, fingerprint: FINGERPRINT });
    expect(await isActive(first)).toBe(true);

    const rotations = (service: RunningService) =>
      service.stdout.split('\n').filter((line) => line.includes('"event":"secret_rotated"')).length;
    const rotating = await operator.start({
      LICENSE_SECRET: after,
      LICENSE_SECRET_PREVIOUS: before,
    });
    expect(await isActive(rotating)).toBe(true);
    const rotated = await operator.start({ LICENSE_SECRET: after });
    expect(await isActive(rotated)).toBe(true);
    expect([first, rotating, rotated].map(rotations)).toEqual([0, 1, 0]);

    expectOneSentence(
      await operator.startInVain({ LICENSE_SECRET: before }),
      'LICENSE_SECRET does not open this store',
      'LICENSE_SECRET_PREVIOUS',
    );
  });
});
