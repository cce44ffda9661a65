import { Columns } from '../src/shared/ui/columns.js';
import { FieldRow } from '../src/shared/ui/field-row.js';
import { Muted } from '../src/shared/ui/muted.js';
import { PanelHead } from '../src/shared/ui/panel.js';
import { Records } from '../src/shared/ui/records.js';
import { Stack } from '../src/shared/ui/stack.js';
import { Checkbox, TextField } from '../src/shared/fields.js';
import { Part } from './part.js';

/** Parts that arrange other parts. */
export const Layout = () => (
  <Columns>
    <Stack>
      <Part name="Fields side by side">
        <FieldRow>
          <TextField label="Months" name="months" />
          <TextField label="Days" name="days" hint="Instead of months" />
        </FieldRow>
        <Checkbox label="Perpetual" hint="It never expires" name="perpetual" />
      </Part>
      <Part name="Records">
        <Records>
          <li>•••• A6DJ · Acme Ltd</li>
          <li>•••• 93KD · Acme Ltd</li>
        </Records>
      </Part>
    </Stack>
    <Part name="A panel">
      <PanelHead title="A second heading">
        <button type="button">Edit</button>
      </PanelHead>
      <Stack isTight>
        <p>Text</p>
        <Muted>Secondary text</Muted>
      </Stack>
    </Part>
  </Columns>
);
