/**
 * The kind of process that opens the store. A `service` migrates it. A `tool` may run beside services: it migrates
 * nothing that others may serve, and on SQLite it changes no license, because the service caches them. An
 * `exclusive tool` has a SQLite store for itself, and is a tool on MongoDB. A `copier` has a SQLite store for itself and
 * migrates nothing.
 */
export type StoreUser = 'service' | 'tool' | 'exclusive tool' | 'copier';
