import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { mongodb } from '../reused-mongo.js';
import { useStore } from '../use-store.js';

const MOST_OF_AN_ACCOUNT = 50;

describeOnMongo('deleted projects whose licenses are still stored on MongoDB', () => {
  const { store, stored } = useStore(mongodb.open);

  const deleteOne = async (owner = newAccountId()) => {
    const client = await stored.client({ owner });
    const { project } = await stored.project(client);
    return store.projects.deleteWithLicenses(project._id, owner, at(1));
  };

  it('are bounded for each account, and take no place from other accounts', async () => {
    const owner = newAccountId();
    for (let index = 0; index < MOST_OF_AN_ACCOUNT; index++) {
      expect(await deleteOne(owner)).toBe('deleted');
    }
    await expect(deleteOne(owner)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(await deleteOne()).toBe('deleted');

    await store.removeDeleted();
    expect(await deleteOne(owner)).toBe('deleted');
  });
});
