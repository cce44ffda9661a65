/**
 * Bounds an LRUCache to so many entries. By its `max`, it would take the memory for all of them at once, which
 * costs time at start.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
