import { IdempotencyKeyTaken } from '../../../src/shared/idempotency/idempotency-record.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo, engines } from '../engines.js';
import { Lives, type Step } from '../lives.js';

const STEPS = 600;

describeOnMongo('the two engines', () => {
  it.each([1, 2].slice(0, timesInScope(2)))(
    `answer the same in each of ${STEPS} steps, and keep the same (seed %i)`,
    async (seed) => {
      const stores = await Promise.all(engines.map(({ open }) => open()));
      const outcomesOf = (step: Step) =>
        Promise.all(
          stores.map((store) =>
            step(store).catch((error: unknown) => {
              if (error instanceof IdempotencyKeyTaken) return error.name;
              throw error;
            }),
          ),
        );
      try {
        const lives = new Lives(seed);
        const seen = new Set<unknown>();
        for (let step = 1; step <= STEPS; step++) {
          const [sqlite, mongodb] = await outcomesOf(lives.next(step));
          expect({ step, outcome: mongodb }).toStrictEqual({ step, outcome: sqlite });
          seen.add(typeof sqlite === 'object' && sqlite ? 'done' : sqlite);
        }
        const [sqlite, mongodb] = await Promise.all(
          stores.map((store) => lives.read(store, STEPS)),
        );
        expect(mongodb).toStrictEqual(sqlite);
        // A walk that never meets them proves nothing.
        expect([...seen]).toEqual(
          expect.arrayContaining([
            'done',
            null,
            'IdempotencyKeyTaken',
            'deleted',
            'email_taken',
            'key_collision',
          ]),
        );
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    },
  );
});
