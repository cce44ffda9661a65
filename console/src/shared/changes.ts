/** The fields that differ from those of the record: somebody else may have changed the others meanwhile. */
export const changesOf = <Fields extends object>(
  fields: Fields,
  record: { readonly [Name in keyof Fields]?: unknown },
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(record[name as keyof Fields]),
    ),
  ) as Partial<Fields>;
