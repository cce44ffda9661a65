import { createContext, type RefObject, use, useEffect, useState } from 'react';
import { session } from '../session/session.js';

const PREFIX = 'draft';

/** A field of a form: its name, its value, and whether it is chosen. */
type Entry = readonly [name: string, value: string, isChecked: boolean];

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Input types whose values are never stored. */
const UNSTORED = ['password', 'hidden', 'file'];

/** The title of the dialog that a form is in. */
export const DialogTitle = createContext<string | undefined>(undefined);

/** The id of the record in a section of the page, because two records can have the same name. */
export const DraftScope = createContext('');

const keyOf = (scope: string, form: string): string =>
  JSON.stringify([PREFIX, session.account, location.pathname, scope, form]);

/** Whether a dialog had a draft when its page was reloaded or its session ended. */
export const hasDraft = (scope: string, title: string): boolean =>
  sessionStorage.getItem(keyOf(scope, title)) !== null;

/** Drops all drafts, or all except one account's. */
export function forgetDrafts(exceptOf?: string | null): void {
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(`["${PREFIX}"`)) continue;
    const [, account] = JSON.parse(key) as unknown[];
    if (account !== exceptOf) sessionStorage.removeItem(key);
  }
}

/**
 * Stores the input of an open form. The draft outlives the form only if the page reloads or the session
 * ends. It then fills the same form on the same page of the same account.
 *
 * @param name identifies a form outside a dialog
 * @returns a function that stores the fields; call it after each change
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, name: string, isDone: boolean) {
  const title = use(DialogTitle);
  const scope = use(DraftScope);
  const [key] = useState(() => keyOf(scope, title ?? name));
  const [pending] = useState(() => new Set(read(key)));
  const save = () => {
    const entries = [...controlsOf(form.current).map(entryOf), ...pending];
    if (entries.length > 0) sessionStorage.setItem(key, JSON.stringify(entries));
  };
  useEffect(() => {
    const element = form.current;
    if (!element || pending.size === 0) return undefined;
    const fill = () => {
      for (const entry of pending) if (fillIn(element, entry)) pending.delete(entry);
    };
    // Some fields and options appear only after others are filled in or loaded.
    const observer = new MutationObserver(fill);
    observer.observe(element, { childList: true, subtree: true });
    fill();
    return () => observer.disconnect();
  }, [form, pending]);
  useEffect(() => {
    if (isDone) sessionStorage.removeItem(key);
  }, [isDone, key]);
  useEffect(
    () => () => {
      if (session.account !== null) sessionStorage.removeItem(key);
    },
    [key],
  );
  return save;
}

/** A text that is stored with the drafts of a page, until the user signs out or closes the tab. */
export function useDraftText(name: string) {
  const [key] = useState(() => keyOf('', name));
  const [text, setText] = useState(() => sessionStorage.getItem(key));
  const save = (changed: string | null) => {
    if (changed === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, changed);
    setText(changed);
  };
  return { text, save };
}

const read = (key: string) => JSON.parse(sessionStorage.getItem(key) ?? '[]') as Entry[];

/** The fields of a form that are stored. */
function controlsOf(form: HTMLFormElement | null): Control[] {
  const controls = [...(form?.elements ?? [])].filter(
    (element): element is Control => 'name' in element && 'value' in element,
  );
  return controls.filter(
    (control) =>
      control.name !== '' &&
      control.tagName !== 'BUTTON' &&
      !UNSTORED.includes(control.type) &&
      // A visible password has the input type text. Codes are not stored, because they work only once.
      !/-(password|code)$/.test(control.autocomplete),
  );
}

const isBox = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';

const entryOf = (control: Control): Entry => [
  control.name,
  control.value,
  isBox(control) && control.checked,
];

/**
 * Fills in a field and dispatches its events, so React notices.
 *
 * @returns whether the form has the field and the option
 */
function fillIn(form: HTMLFormElement, [name, value, isChecked]: Entry): boolean {
  const control = controlsOf(form).find(
    (one) => one.name === name && (!isBox(one) || one.value === value),
  );
  if (!control) return false;
  if (isBox(control)) {
    if (control.checked === isChecked) return true;
    control.click();
  } else {
    if (control.value === value) return true;
    if (control instanceof HTMLSelectElement && !hasOption(control, value)) return false;
    // React ignores an event if the value was set through its own property.
    Reflect.set(Object.getPrototypeOf(control) as object, 'value', value, control);
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }
  unfold(control);
  return true;
}

const hasOption = ({ options }: HTMLSelectElement, value: string): boolean =>
  [...options].some((option) => option.value === value);

function unfold(control: Element): void {
  for (let part = control.closest('details'); part;) {
    part.open = true;
    part = part.parentElement?.closest('details') ?? null;
  }
}
