import { useState } from 'react';
import { useProducts } from '../integrate/use-products.js';
import { SelectField, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { issue as names } from './issue-texts.js';
import { texts } from '../texts.js';

/** The option for a product that is not in the list. */
const NEW = ' ';

interface Props {
  /** The limits from the operation that the form submits. */
  readonly limits: { readonly name: 'product'; readonly maxLength: number };
  /** The option for no product. */
  readonly none: string;
  readonly initial?: string | null | undefined;
  readonly onChange?: (product: string | undefined) => void;
}

/** Chooses one of the account's products, or names a new one. */
export function ProductField({ limits, none, initial, onChange }: Props) {
  const { data } = useProducts();
  const [chosen, setChosen] = useState(initial ?? '');
  const products = [...new Set([...(initial ? [initial] : []), ...(data ?? [])])];
  const { product, productHint } = texts.projects;
  const { newProduct, newProductHint } = names;
  if (data && products.length === 0) {
    return (
      <TextField
        label={product}
        hint={productHint}
        {...limits}
        title={newProductHint}
        autoComplete="off"
      />
    );
  }
  return (
    <FieldRow>
      <SelectField
        label={product}
        name="knownProduct"
        value={chosen}
        onChange={({ target: { value } }) => {
          setChosen(value);
          onChange?.(value === NEW ? undefined : value);
        }}
      >
        <option value="">{none}</option>
        {products.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
        <option value={NEW}>{names.addProduct}</option>
      </SelectField>
      {chosen === NEW && (
        <TextField
          label={newProduct}
          hint={newProductHint}
          {...limits}
          title={newProductHint}
          required
          autoComplete="off"
        />
      )}
    </FieldRow>
  );
}

export const productOf = (fields: FormData): string | null =>
  textOf(fields, 'product') || textOf(fields, 'knownProduct') || null;
