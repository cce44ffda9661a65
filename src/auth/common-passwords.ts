let loading: Promise<ReadonlySet<string>> | undefined;

/**
 * The 49,000 most common passwords, in lower case. They are read at their first use (about 30 ms,
 * 4 MB), which is the first registration: a service whose registration is closed never pays for them.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
