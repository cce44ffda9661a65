import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { rowsOf } from '../api/pages.js';
import { pollEvery } from '../api/query-client.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { Muted } from '../shared/ui/muted.js';
import { Stack } from '../shared/ui/stack.js';
import { MailBlocked } from './mail-blocked.js';
import { MailLog } from './mail-log.js';
import { mailsQuery, templatesQuery } from './mail-queries.js';
import { TemplatePanel } from './mail-template.js';
import { log, mail as names } from './mail-texts.js';

/** Milliseconds between refetches while a mail is waiting. */
const POLL = 5000;

/** The templates of mail to customers, and the log of all mail. */
export function MailPage() {
  const templates = useQuery(templatesQuery);
  const mails = useInfiniteQuery({
    ...mailsQuery,
    refetchInterval: ({ state: { data } }) =>
      pollEvery((data ? rowsOf(data) : []).some(({ status }) => status === 'pending') && POLL),
  });
  return (
    <Page title={names.title}>
      <p>{names.details}</p>
      <Loaded query={templates}>
        {({ blockedBy, data }) => (
          <>
            {blockedBy && <MailBlocked by={blockedBy} />}
            {data.map((template) => (
              <TemplatePanel key={template.kind} template={template} />
            ))}
          </>
        )}
      </Loaded>
      <Stack isTight>
        <h2>{log.title}</h2>
        <Muted>{log.details}</Muted>
      </Stack>
      <Loaded query={{ ...mails, data: mails.data && rowsOf(mails.data) }}>
        {(rows) => (rows.length > 0 ? <MailLog rows={rows} /> : <Empty title={log.none} />)}
      </Loaded>
      <ShowMore query={mails} />
    </Page>
  );
}
