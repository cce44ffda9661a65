import { aUser } from '../../test/builders.js';
import { Exposition } from '../../test/exposition.js';
import { useFolder } from '../../test/use-folder.js';
import { COLLECTIONS } from '../collections.js';
import { LINK_REQUESTS, newLinkRequest } from '../links/link-request.js';
import { LINKS, newLink } from '../links/link.js';
import { MAILS, newMail, sent } from '../mail/mail.js';
import { PrometheusMetrics } from '../metrics/prometheus-metrics.js';
import { insert } from '../storage/changes.js';
import { SqliteStore } from '../storage/sqlite/sqlite-store.js';
import { backup, restore } from './store-commands.js';

describe('npm run backup', () => {
  const folder = useFolder();

  it('stores its time for the metrics', async () => {
    const metrics = new PrometheusMetrics();
    const store = SqliteStore.open(folder('data'), COLLECTIONS, 'service', metrics);
    const lastBackup = async () =>
      new Exposition(await metrics.text()).valueOf('license_service_last_backup_seconds');
    expect(await lastBackup()).toBe(0);
    await backup(folder('backup'), { DATA_DIR: folder('data') });
    expect((await lastBackup()) * 1000).toBeCloseTo(Date.now(), -5);
    await store.close();
  });
});

describe('npm run restore', () => {
  const folder = useFolder();

  it('never repeats mail from the backup, and revives no link', async () => {
    const { account: accountId, email, _id: subject } = aUser();
    const now = new Date();
    const fields = { accountId, kind: 'password_reset', to: email, subject: 'Reset' } as const;
    const pending = newMail({ ...fields, sealed: 'sealed' }, true, now);
    const done = sent(newMail(fields, true, now), now);
    const { link } = newLink(
      { accountId, kind: 'password_reset', subject, boundTo: '', email },
      now,
    );
    const request = newLinkRequest('password_reset', email, null, now);
    const store = SqliteStore.open(folder('data'), COLLECTIONS);
    const records = [insert(MAILS, pending), insert(MAILS, done), insert(LINKS, link)];
    await store.commit([...records, insert(LINK_REQUESTS, request)]);
    await backup(folder('backup'), { DATA_DIR: folder('data') });
    await store.close();
    await restore(folder('backup'), { DATA_DIR: folder('restored') });

    const restored = SqliteStore.open(folder('restored'), COLLECTIONS);
    const mailOf = (_id: string) => restored.find(MAILS, { _id });
    const failed = { status: 'failed', error: 'restored', sealed: null, nextAttemptAt: null };
    expect(await mailOf(pending._id)).toMatchObject(failed);
    expect(await mailOf(done._id)).toMatchObject({ status: 'sent', error: null });
    expect(await restored.count(LINKS, {})).toBe(0);
    expect(await restored.count(LINK_REQUESTS, {})).toBe(0);
    await restored.close();
  });
});
