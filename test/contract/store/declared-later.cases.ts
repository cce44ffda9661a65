import { increment, insert, replace, setAll } from '../../../src/storage/changes.js';
import { collection, NOT_STORED, type Stored, field } from '../../../src/storage/collection.js';
import { newObjectId } from '../../../src/shared/ids.js';
import { engines, stores, type StoreUnderTest } from '../engines.js';
import { at } from '../records.js';

interface Earlier extends Stored {
  readonly name: string;
  readonly count: number;
}

const fields = { _id: field.id(), name: field.text(), count: field.integer() };
const EARLIER = collection<Earlier>('growing', { fields, unique: [['name']], cached: true });
const DECLARED_LATER = {
  grade: 3,
  checkedAt: at(1),
  labels: ['a', 'b'] as readonly string[],
  details: { at: at(2), none: null } as object,
  state: 'new',
  label: null as string | null,
  soldAt: null as Date | null,
};
type Later = Earlier & typeof DECLARED_LATER;
const LATER = collection<Later>('growing', {
  fields: {
    ...fields,
    grade: field.integer().since(DECLARED_LATER.grade),
    checkedAt: field.time().since(DECLARED_LATER.checkedAt),
    labels: field.list<string>().since(DECLARED_LATER.labels),
    details: field.json().since(DECLARED_LATER.details),
    state: field.text().since(DECLARED_LATER.state),
    label: field.text().nullable(),
    soldAt: field.time().nullable().since(null),
  },
  unique: [['name'], ['label']],
  indexes: [['count', '_id'], ['state']],
  cached: true,
});

const anEarlier = (name: string): Earlier => ({
  ...{ _id: newObjectId(), version: NOT_STORED, name, count: 1 },
});

describe.each(stores)('a record on $name stored before its fields', ({ open }) => {
  let opened: StoreUnderTest;
  const [one, other, third] = ['one', 'other', 'third'].map(anEarlier);
  beforeAll(async () => {
    opened = await open([EARLIER]);
    await opened.store.commit([one, other, third].map((record) => insert(EARLIER, record!)));
    opened = await opened.reopen([LATER]);
  });
  afterAll(() => opened.close());

  const find = async (name: string) => (await opened.store.find(LATER, { name }))!;

  it('is read with their initial values', async () => {
    const found = await find('one');
    expect(found).toStrictEqual({ ...one, ...DECLARED_LATER, version: found.version });
    const order = { by: 'count', direction: 'asc' } as const;
    const listed = await opened.store.list(LATER, { name: 'one' }, order, { limit: 2 });
    expect(listed).toStrictEqual([found]);
    const byGrade = await opened.store.countBy(LATER, {}, 'grade');
    expect([...byGrade]).toStrictEqual([[3, 3]]);
    expect(await opened.store.count(LATER, { count: 1, label: null, soldAt: null })).toBe(3);
  });

  it('is changed like any other', async () => {
    const [before, after] = [await find('one'), { grade: 4, label: 'x', labels: [] }];
    await opened.store.commit([replace(LATER, before, { ...before, ...after })]);
    const found = await opened.store.find(LATER, { label: 'x' });
    expect(found).toMatchObject({ ...DECLARED_LATER, ...after, name: 'one' });
    const { _id } = other!;
    await opened.store.commit([setAll(LATER, { _id }, { state: 'old' })]);
    const counted = increment(LATER, _id, { grade: 2, count: 1 }, { atMost: { grade: 5 } });
    expect(await opened.store.commit([counted])).toMatchObject({ ok: true });
    const expected = { ...DECLARED_LATER, state: 'old', grade: 5, count: 2 };
    expect(await find('other')).toMatchObject(expected);
    expect(await opened.store.commit([counted])).toStrictEqual({ ok: false, failed: counted });
  });
});

describe.each(engines)('a record on $name with undeclared fields', ({ open }) => {
  it('keeps them when this program changes it', async () => {
    const record = { ...anEarlier('one'), ...DECLARED_LATER };
    let opened = await open([LATER]);
    await opened.store.commit([insert(LATER, { ...record, grade: 7, label: 'z' })]);
    opened = await opened.reopen([EARLIER]);
    const before = (await opened.store.find(EARLIER, { name: 'one' }))!;
    await opened.store.commit([replace(EARLIER, before, { ...before, count: 8 })]);
    opened = await opened.reopen([LATER]);
    const after = await opened.store.find(LATER, { name: 'one' });
    expect(after).toMatchObject({ grade: 7, label: 'z', count: 8 });
    await opened.close();
  });
});
