import { rotated } from '../../../src/certificates/signing-keys/signing-keys.js';
import {
  IdempotencyKeyTaken,
  type IdempotencyRecord,
} from '../../../src/shared/idempotency/idempotency-record.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import {
  aCertification,
  aLicense,
  aNewLicense,
  aReissue,
  aRenewal,
} from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { aSigningKey } from '../../builders/signing-keys.builder.js';
import { at } from '../../builders/time.js';
import { IDEMPOTENT_WRITES } from '../idempotent-writes.js';
import { engines } from '../engines.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

const DAY = 24 * 60;

describe.each(engines)('an idempotency record on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  describe.each(IDEMPOTENT_WRITES)('of $name', ({ prepare }) => {
    it('is found with exactly the result, until it expires', async () => {
      const idempotency = anIdempotencyRecord({ requestHash: 'hash of this request' });
      const write = await prepare(store);
      expect(await store.idempotency.find(idempotency._id, at(0))).toBeNull();
      const result = await write(idempotency);
      const kept = { requestHash: 'hash of this request', result };
      const lastMoment = new Date(idempotency.expiresAt.getTime() - 1);
      for (const now of [idempotency.createdAt, lastMoment]) {
        expect(await store.idempotency.find(idempotency._id, now)).toStrictEqual(kept);
      }
      for (const now of [idempotency.expiresAt, at(2 * DAY)]) {
        expect(await store.idempotency.find(idempotency._id, now)).toBeNull();
      }
    });

    it('rejects a second write with its key, which changes nothing', async () => {
      const idempotency = anIdempotencyRecord();
      const first = await (await prepare(store))(idempotency);
      const second = await prepare(store);
      const before = await stored.counts();
      for (const createdAt of [at(0), new Date(idempotency.expiresAt.getTime() - 1)]) {
        const again = { ...idempotency, createdAt, requestHash: 'another', expiresAt: at(3 * DAY) };
        await expect(second(again)).rejects.toBeInstanceOf(IdempotencyKeyTaken);
      }
      expect(await stored.counts()).toStrictEqual(before);
      expect(await store.idempotency.find(idempotency._id, at(0))).toStrictEqual({
        requestHash: idempotency.requestHash,
        result: first,
      });
      // Only the record was the reason for the rejection.
      await second();
    });

    it('is stored by exactly one of 20 different writes at the same time', async () => {
      const idempotency = anIdempotencyRecord();
      const writes = await twenty(() => prepare(store));
      const before = await store.count('idempotency_records');
      const outcomes = await Promise.allSettled(writes.map((write) => write(idempotency)));
      const done = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(done).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          expect(outcome.reason).toBeInstanceOf(IdempotencyKeyTaken);
      }
      const kept = await store.idempotency.find(idempotency._id, at(0));
      expect(done).toStrictEqual([{ status: 'fulfilled', value: kept?.result }]);
      expect(await store.count('idempotency_records')).toBe(before + 1);
    });

    it('lets the same write, sent 20 times at the same time, be done once', async () => {
      const idempotency = anIdempotencyRecord();
      const write = await prepare(store);
      const outcomes = await twenty(() =>
        write(idempotency).catch((error: unknown) => {
          // One that finds the change done may be rejected before the record is read.
          expect(error).toBeInstanceOf(Error);
          return 'rejected';
        }),
      );
      const kept = await store.idempotency.find(idempotency._id, at(0));
      expect(kept).not.toBeNull();
      const done = outcomes.filter((outcome) => outcome !== null && typeof outcome === 'object');
      expect(done).toStrictEqual([kept?.result]);
    });

    it('can be stored again once it has expired', async () => {
      const idempotency = anIdempotencyRecord();
      await (
        await prepare(store)
      )(idempotency);
      const before = await store.count('idempotency_records');
      const again = {
        ...idempotency,
        requestHash: 'of another request',
        createdAt: idempotency.expiresAt,
        expiresAt: at(2 * DAY),
      };
      const result = await (await prepare(store))(again);
      expect(await store.idempotency.find(idempotency._id, again.createdAt)).toStrictEqual({
        requestHash: 'of another request',
        result,
      });
      expect(await store.count('idempotency_records')).toBeLessThanOrEqual(before);
    });

    it('does not change any other record', async () => {
      const [one, other] = [
        anIdempotencyRecord({ expiresAt: at(9 * DAY) }),
        anIdempotencyRecord({ expiresAt: at(9 * DAY) }),
      ];
      const result = await (await prepare(store))(one);
      await (
        await prepare(store)
      )(other);
      await (
        await prepare(store)
      )();
      expect(await store.idempotency.find(one._id, at(0))).toMatchObject({ result });
    });
  });

  it('is not stored where the write is rejected', async () => {
    const { clients, projects, licenses, signingKeys } = store;
    const { project, license } = await stored.project();
    const { email } = await stored.client();
    const missing = aProject(aClient());
    const { keyHash } = license;
    const revocation = { revokedAt: at(3), revokedReason: null };
    const event = anEvent(license, 'revoked');
    const fresh = aProject(await stored.client());
    const keys = await stored.signingKeys();
    const afterRotation = rotated(keys, aSigningKey(), false, at(3))!;
    const strangers = { ...license, user: newAccountId() };
    const elsewhere = { ...(await stored.activeLicense()), machineId: 'machine 2' };
    const rejected: [unknown, (idempotency: IdempotencyRecord) => Promise<unknown>][] = [
      ['email_taken', (idempotency) => clients.create(aClient({ email }), idempotency)],
      [
        'client_not_found',
        (idempotency) =>
          projects.createWithFirstLicense(missing, aNewLicense(aLicense(missing)), idempotency),
      ],
      [
        'key_collision',
        (idempotency) =>
          projects.createWithFirstLicense(
            fresh,
            aNewLicense(aLicense(fresh, { keyHash })),
            idempotency,
          ),
      ],
      [
        'project_not_found',
        (idempotency) => projects.addLicense(aNewLicense(aLicense(missing)), idempotency),
      ],
      [
        'key_collision',
        (idempotency) =>
          projects.addLicense(aNewLicense(aLicense(project, { keyHash })), idempotency),
      ],
      [
        null,
        (idempotency) =>
          licenses.revoke(license._id, newAccountId(), revocation, event, idempotency),
      ],
      [null, (idempotency) => licenses.renew(license, aRenewal(license, 1), event, idempotency)],
      [null, (idempotency) => licenses.certify(aCertification(strangers), idempotency)],
      [null, (idempotency) => licenses.certify(aCertification(elsewhere), idempotency)],
      [null, (idempotency) => signingKeys.rotate(keys.next.kid, afterRotation, idempotency)],
      [
        null,
        (idempotency) => licenses.reissue(aReissue(license, { user: newAccountId() }), idempotency),
      ],
      [
        'key_collision',
        (idempotency) => licenses.reissue(aReissue(license, { keyHash }), idempotency),
      ],
    ];
    const before = await stored.counts();
    for (const [outcome, write] of rejected) {
      const idempotency = anIdempotencyRecord();
      expect(await write(idempotency)).toBe(outcome);
      expect(await store.idempotency.find(idempotency._id, at(0))).toBeNull();
    }
    expect(await stored.counts()).toStrictEqual(before);
  });

  const clientUnder = (idempotency: IdempotencyRecord) =>
    store.clients.create(aClient(), idempotency);

  it('can be stored again once it has expired, though it is not deleted yet', async () => {
    // More than one request deletes, and all expired before the one that is stored again.
    await Promise.all(
      Array.from({ length: 150 }, () => clientUnder(anIdempotencyRecord({ expiresAt: at(1) }))),
    );
    const idempotency = anIdempotencyRecord();
    await clientUnder(idempotency);
    const again = { ...idempotency, createdAt: idempotency.expiresAt, expiresAt: at(2 * DAY) };
    const result = await clientUnder({ ...again, requestHash: 'of another request' });
    expect(await store.idempotency.find(idempotency._id, again.createdAt)).toStrictEqual({
      requestHash: 'of another request',
      result,
    });
  });
});
