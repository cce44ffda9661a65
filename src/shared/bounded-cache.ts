/** Options that limit the entries of an LRUCache. Its own `max` would allocate memory for all of them up front. */
export const maxEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
