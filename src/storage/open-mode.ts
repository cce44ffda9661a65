/**
 * What a process opens the store for. A `service` migrates it. A `tool` may run beside services: it migrates nothing that others may
 * serve, and on SQLite it changes no record that the service caches. An `exclusive tool` has a SQLite store for itself, and is a
 * tool on MongoDB. A `copier` has a SQLite store for itself and migrates nothing.
 */
export type OpenMode = 'service' | 'tool' | 'exclusive tool' | 'copier';
