let loading: Promise<ReadonlySet<string>> | undefined;

/**
 * The 49,000 most common passwords, in lower case. They are read (about 30 ms, 4 MB) when the first
 * password is chosen, by a registration or a change.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
