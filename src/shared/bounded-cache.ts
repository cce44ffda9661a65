/** Options that bound an LRUCache to a number of entries. Its own `max` would allocate memory for all of them at once. */
export const maxEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
