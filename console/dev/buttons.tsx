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

/** Buttons, and the dialogs and menus they open. */
export const Buttons = () => (
  <>
    <Part name="Buttons">
      <Actions>
        {(['plain', 'primary', 'danger', 'quiet'] as const).map((look) => (
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
        <button type="button" onClick={() => notify('Renewed •••• A6DJ')}>
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
          details="The key stops validating until you resume it."
          {...FAILING}
        />
        <ConfirmationButton
          operation="deletePlan"
          label="Delete"
          title="Delete plan Team of five?"
          details="Licenses issued with this plan stay as they are."
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
        <ActionMenu label="Actions for •••• A6DJ" actions={ACTIONS} />
      </Actions>
    </Part>
  </>
);

/** Each attempt fails, to show what an error looks like. */
const FAILING = {
  run: () => Promise.reject(new Error('This page has no service')),
  done: 'Done',
};

const SECRET = {
  text: 'lms_example-of-a-secret',
  details: "Copy it now; you won't see it again.",
  names: { text: 'Secret', copy: 'Copy secret' },
};
