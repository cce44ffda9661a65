import { MAIL_ON } from '../../test/mail-server.js';
import { useServices } from '../../test/services.js';
import { MAILS } from '../mail/mail.js';
import { insert } from '../storage/changes.js';
import { LINK_REQUESTS, newLinkRequest } from './link-request.js';
import { LinkRequests } from './link-requests.job.js';

describe('Requests for links', () => {
  const { store, clock, the, put, addAccount } = useServices(undefined, MAIL_ON);

  it('for unknown addresses share a commit, so a flood of them delays nobody for long', async () => {
    const user = await addAccount();
    const emails = Array.from({ length: 19 }, (_, index) => `${index}@stranger.example`);
    for (const email of [...emails, user.email]) {
      const request = newLinkRequest('password_reset', email, null, clock.now());
      await put(insert(LINK_REQUESTS, request));
    }
    const commit = jest.spyOn(store, 'commit');
    await the(LinkRequests).step();
    expect(commit).toHaveBeenCalledTimes(2);
    expect(store.all(MAILS).map(({ to }) => to)).toEqual([user.email]);
    expect(store.all(LINK_REQUESTS)).toEqual([]);
  });
});
