/** A size for people, in millions of bytes, rounded up. */
export const megabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
