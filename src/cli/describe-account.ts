import type { AccountOverview } from '../auth/user.js';

/** An account as one line of the operator's list: fields between tabs, which neither of its texts can have. */
export function describeAccount(account: AccountOverview): string {
  const { email, name, createdAt, disabledAt, clientsCount, projectsCount, licensesCount } =
    account;
  return [
    email,
    name,
    `created ${createdAt.toISOString()}`,
    disabledAt ? `disabled ${disabledAt.toISOString()}` : 'enabled',
    `clients ${clientsCount}`,
    `projects ${projectsCount}`,
    `licenses ${licensesCount}`,
  ].join('\t');
}
