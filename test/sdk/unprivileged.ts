/** Runs an action as a user whom the permissions of files bind; they do not bind root. */
export async function unprivileged<Result>(
  action: () => Result | Promise<Result>,
): Promise<Result> {
  if (process.getuid?.() !== 0) return action();
  process.seteuid!(65_534);
  try {
    return await action();
  } finally {
    process.seteuid!(0);
  }
}
