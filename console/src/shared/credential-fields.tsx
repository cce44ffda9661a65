import * as inputs from '../api/inputs.js';
import { texts } from '../texts.js';
import { TextField } from './fields.js';

/** The email address of an account. Password managers store the password under it. */
export const EmailField = () => (
  <TextField label={texts.session.email} {...inputs.register.email} autoComplete="username" />
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
export const PasswordField = ({ label = texts.session.password, limits }: PasswordProps) => (
  <TextField label={label} {...limits} autoComplete="current-password" />
);

/** A new password of an account. */
export const NewPasswordField = ({ label = texts.session.password, limits }: PasswordProps) => (
  <TextField
    label={label}
    hint={texts.session.passwordHint(limits)}
    {...limits}
    autoComplete="new-password"
  />
);
