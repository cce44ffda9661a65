import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import { texts } from '../texts.js';
import styles from './credential-fields.module.css';
import { TextField } from './fields.js';
import buttons from './ui/button.module.css';

/** The email address of an account. Password managers store the password under it. */
export const EmailField = ({ autoComplete = 'username' }: { readonly autoComplete?: string }) => (
  <TextField label={texts.session.email} {...inputs.register.email} autoComplete={autoComplete} />
);

interface PasswordProps {
  readonly label?: string;
  /** The limits from the operation that the form submits. */
  readonly limits: {
    readonly name: string;
    readonly type: 'password';
    readonly required: true;
    readonly minLength: number;
    readonly maxLength: number;
  };
}

/** The current password of an account. */
export const PasswordField = (props: PasswordProps) => (
  <ShowablePassword {...props} autoComplete="current-password" />
);

/** A new password of an account. */
export const NewPasswordField = (props: PasswordProps) => (
  <ShowablePassword
    {...props}
    hint={texts.session.passwordHint(props.limits)}
    autoComplete="new-password"
  />
);

interface ShowableProps extends PasswordProps {
  readonly hint?: string;
  readonly autoComplete: 'current-password' | 'new-password';
}

/** A password that can be shown while it is typed. */
function ShowablePassword({ label = texts.session.password, limits, ...field }: ShowableProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.password}>
      <TextField
        label={label}
        {...limits}
        {...field}
        type={isShown ? 'text' : limits.type}
        spellCheck={false}
        autoCapitalize="off"
      />
      <button type="button" className={buttons.quiet} onClick={() => setShown(!isShown)}>
        {isShown ? texts.session.hidePassword : texts.session.showPassword}
      </button>
    </div>
  );
}
