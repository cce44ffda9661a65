import type { BinEntry } from '../api/types.js';

const KINDS: Record<BinEntry['kind'], string> = {
  client: 'Customer',
  project: 'Project',
  license: 'License',
};

export const bin = {
  title: 'Deleted',
  details: 'Restore what was deleted by mistake. After 30 days, it is erased.',
  none: 'Nothing was deleted in the last 30 days',
  noneDetails: 'Deleted customers, projects and their licenses appear here.',
  notFound: 'No deleted records match',
  notFoundDetails: 'Try part of a name or email address.',
  searchHint: 'Part of a name or email',
  noun: ['deleted record', 'deleted records'] as const,
  name: 'Name',
  kind: 'Kind',
  deletedAt: 'Deleted',
  deletedBy: 'By',
  erasedAt: 'Erased on',
  kindOf: ({ kind, licensesCount }: BinEntry): string => {
    if (kind !== 'project') return KINDS[kind];
    return `${KINDS[kind]}, ${licensesCount.toLocaleString('en')} ${licensesCount === 1 ? 'license' : 'licenses'}`;
  },
  restore: 'Restore',
  restoreTitle: (name: string) => `Restore ${name}?`,
  restoreDetails: {
    client:
      'Restores the customer and the projects that were deleted with it. Their license keys work again.',
    project: 'Restores the project and its licenses as they were. Their keys work again.',
    license: 'Restores the license as it was. Its key works again.',
  },
  erase: 'Erase now',
  eraseTitle: (name: string) => `Erase ${name}?`,
  eraseDetails: "You can't restore it afterwards. If it is a project, its licenses are erased too.",
};
