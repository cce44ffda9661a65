import { IdempotencyKeyTaken } from '../../../src/shared/idempotency/idempotency-record.js';
import { timesInScope } from '../../scope.js';
import { describeOnMongo } from '../../engines.js';
import { engines } from '../engines.js';
import { type Operation, RandomOperations } from '../random-operations.js';

const STEPS = 600;

describeOnMongo('the two engines', () => {
  it.each([1, 3].slice(0, timesInScope(2)))(
    `return the same for each of ${STEPS} random operations, and store the same (seed %i)`,
    async (seed) => {
      const stores = await Promise.all(engines.map(({ open }) => open()));
      const outcomesOf = (operation: Operation) =>
        Promise.all(
          stores.map((store) =>
            operation(store).catch((error: unknown) => {
              if (error instanceof IdempotencyKeyTaken) return error.name;
              throw error;
            }),
          ),
        );
      try {
        const operations = new RandomOperations(seed);
        const seen = new Set<unknown>();
        for (let step = 1; step <= STEPS; step++) {
          const [sqlite, mongodb] = await outcomesOf(operations.next(step));
          expect({ step, outcome: mongodb }).toStrictEqual({ step, outcome: sqlite });
          seen.add(typeof sqlite === 'object' && sqlite ? 'done' : sqlite);
        }
        const [sqlite, mongodb] = await Promise.all(
          stores.map((store) => operations.read(store, STEPS)),
        );
        expect(mongodb).toStrictEqual(sqlite);
        // Operations without these outcomes would prove nothing.
        expect([...seen]).toEqual(
          expect.arrayContaining([
            'done',
            null,
            'IdempotencyKeyTaken',
            'deleted',
            'email_taken',
            'key_collision',
            'has_product',
          ]),
        );
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    },
  );
});
