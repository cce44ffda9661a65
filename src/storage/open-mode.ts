/**
 * What a process opens the store for. One `service` at a time has a SQLite store, and migrates it. A `command` may run at the same
 * time; it migrates a SQLite store that no service has, and a database of MongoDB never.
 */
export type OpenMode = 'service' | 'command';
