import { ConfirmationButton } from '../src/shared/confirmation.js';
import { CopyButton } from '../src/shared/copy-button.js';
import { DialogButton } from '../src/shared/dialog-button.js';
import { notify } from '../src/shared/notices.js';
import { ShownOnce } from '../src/shared/shown-once.js';
import { ActionMenu } from '../src/shared/ui/action-menu.js';
import { Actions } from '../src/shared/ui/actions.js';
import buttons from '../src/shared/ui/button.module.css';
import { ACTIONS } from './actions.js';
import { Part } from './part.js';

/** Buttons, and what they open: dialogs and menus. */
export const Buttons = () => (
  <>
    <Part name="Buttons">
      <Actions>
        {(['plain', 'primary', 'danger', 'dangerQuiet', 'quiet'] as const).map((look) => (
          <button key={look} type="button" className={buttons[look]}>
            {look}
          </button>
        ))}
        <button type="button" className={buttons.primary} aria-disabled>
          pending
        </button>
        <a href="#buttons" className={buttons.link}>
          link
        </a>
        <CopyButton label="Copy" text={async () => 'copied'} />
        <button type="button" onClick={() => notify('License renewed successfully')}>
          Show a notice
        </button>
      </Actions>
    </Part>
    <Part name="Dialogs">
      <Actions>
        <ConfirmationButton
          operation="renewLicense"
          label="Confirm"
          title="Suspend •••• A6DJ?"
          details="The software stops at its next validation."
          {...FAILING}
        />
        <ConfirmationButton
          operation="deletePlan"
          label="Delete"
          title="Delete the plan Team of five?"
          details="Its licenses stay as they are."
          isDangerous
          {...FAILING}
        />
        <DialogButton operation="createApiKey" label="Show once" title="Secret">
          {(close) => <ShownOnce {...SECRET} onClose={close} />}
        </DialogButton>
      </Actions>
    </Part>
    <Part name="Menus">
      <Actions>
        <ActionMenu actions={ACTIONS}>More</ActionMenu>
        <ActionMenu label="Actions of •••• A6DJ" actions={ACTIONS} />
      </Actions>
    </Part>
  </>
);

/** Nothing is written; each attempt shows how a failure looks. */
const FAILING = {
  run: () => Promise.reject(new Error('There is no service behind this page')),
  done: 'Done',
};

const SECRET = {
  text: 'lms_example-of-a-secret',
  details: 'Copy it now. It is shown this once.',
  names: { text: 'Secret', copy: 'Copy secret' },
};
