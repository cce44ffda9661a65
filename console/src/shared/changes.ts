/** The fields that differ from the record. Someone else may have changed the others since. */
export const changesOf = <Fields extends object>(
  fields: Fields,
  record: { readonly [Name in keyof Fields]?: unknown },
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(record[name as keyof Fields]),
    ),
  ) as Partial<Fields>;
