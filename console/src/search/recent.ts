import { useEffect } from 'react';
import type { Found } from '../api/types.js';

/** The number of records to remember. */
const LENGTH = 5;

let records: readonly Found[] = [];

/** The most recently opened records, newest first. Stored only in memory. */
export const recentRecords = (): readonly Found[] => records;

export function forgetRecentRecords(): void {
  records = [];
}

const isSame = (one: Found, other: Found) => one.kind === other.kind && one._id === other._id;

/** Remembers the record of a page. */
export function useRecent(record: Found | undefined): void {
  useEffect(() => {
    if (!record) return;
    const others = records.filter((one) => !isSame(one, record));
    records = [record, ...others].slice(0, LENGTH);
  });
}
