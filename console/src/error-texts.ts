/** The console's own text for an error code. For codes missing here, the console shows the text from the service. */
export const errorTexts: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Some of this input is not valid.',
  BAD_REQUEST: 'Some of this input is not valid.',
  BODY_TOO_LARGE: 'This text is too long.',
  UNAUTHORIZED: 'You have been signed out.',
  TOO_MANY_REQUESTS: 'Too many requests.',
  TOO_MANY_CONCURRENT_REQUESTS: 'Too many requests at the same time.',
  TOO_MANY_BULK_CHANGES:
    'The service is still revoking or deleting the licenses of many projects. Try again later.',
  INTERNAL_ERROR: 'The service failed. Send the request ID to your administrator.',
  IMPORT_OFF:
    'Importing is off, because anyone can register. Ask your administrator to set IMPORT=true.',
  PROJECT_CREATION_FAILED: 'The service failed. Send the request ID to your administrator.',
  STORE_UNAVAILABLE: "The service can't reach its database.",
  SHUTTING_DOWN: 'The service is restarting.',
  OVERLOADED: 'The service is overloaded.',
  CROSS_ORIGIN_REQUEST:
    "The service doesn't recognize this page as its own. Your administrator must add the reverse proxy to TRUSTED_PROXIES.",
  IDEMPOTENCY_QUOTA_REACHED:
    'Your account has reached its limit of changes per 24 hours. Try again later.',

  EMAIL_ALREADY_REGISTERED: 'An account with this email address already exists.',
  REGISTRATION_CLOSED: 'Registration is closed. Ask your administrator for an account.',
  ACCOUNT_DISABLED: 'Your administrator has disabled this account.',
  INSUFFICIENT_ROLE: "You don't have access. Ask an admin.",
  INVALID_INVITATION: 'This invitation is no longer valid. Ask for a new one.',
  MAIL_OFF:
    "Mail is off. Confirm the owner's email address, or ask your administrator to turn on mail.",
  ADDRESS_NOT_MAILABLE: "This address can't receive mail. Change it first.",
  MAIL_NOT_FOUND: 'This email is no longer in the list.',
  MAIL_NOT_REPEATABLE: "This email can't be sent again.",
  INVALID_LINK: 'This link is no longer valid. Request a new one.',
  PORTAL_NOT_FOUND: 'This portal is off.',
  PORTAL_NOT_CONFIGURED:
    'The service has no customer portal. Your administrator must set PORTAL_URL.',
  PORTAL_OFF: 'The customer portal is off. Turn it on in Settings → Portal.',
  WRONG_PASSWORD: "This isn't your current password.",
  FACTOR_REQUIRED: 'Enter a code from your second factor.',
  WRONG_FACTOR:
    "That code or passkey wasn't accepted. Each code works only once, so wait for the next one.",
  TOO_MANY_WRONG_CODES:
    "Too many wrong codes. Use a passkey, or try again tomorrow. If you didn't enter them, change your password.",
  INVALID_CHALLENGE: 'This took too long. Sign in with your password again.',
  STEP_UP_REQUIRED: "Nothing was changed because you didn't confirm it's you.",
  FACTOR_SETUP_REQUIRED: 'Your account requires a second factor. Set one up first.',
  FACTOR_NOT_FOUND: 'This second factor was removed.',
  TOTP_EXISTS: 'An authenticator app is already set up. Remove it first.',
  TOTP_NOT_STARTED: 'Start setting up the authenticator app again.',
  PASSKEY_QUOTA_REACHED: 'You can have at most 10 passkeys.',
  PASSKEY_REJECTED: 'The passkey could not be created. Try again.',
  PASSKEYS_OFF: 'Passkeys are not set up on this server.',
  INVALID_CREDENTIALS: 'Wrong email or password.',
  SESSION_NOT_FOUND: 'This session has ended.',
  MEMBER_NOT_FOUND: 'This member was removed.',
  MEMBER_QUOTA_REACHED: 'You can have at most 100 members and invitations.',
  MEMBER_IS_OWNER: 'This member is the owner. Only your administrator can change that.',
  API_KEY_NOT_FOUND: 'This API key was deleted.',
  API_KEY_QUOTA_REACHED: 'You can have at most 100 API keys.',
  SIGNING_KEY_NOT_CURRENT:
    'The signing keys were rotated in the meantime. Reload to see the new ones.',
  RETIRED_KEY_QUOTA_REACHED:
    'You have rotated the keys 24 times in a year. Rotate them later, unless the current key may have leaked.',

  WEBHOOK_NOT_FOUND: "This webhook doesn't exist. It may have been deleted.",
  WEBHOOK_QUOTA_REACHED: 'You can have at most 20 webhooks.',
  WEBHOOK_DISABLED: 'This webhook is disabled. Enable it first.',
  DELIVERY_NOT_FOUND: "This delivery doesn't exist. Deliveries are deleted after 30 days.",

  CLIENT_NOT_FOUND: "This customer doesn't exist. It may have been deleted.",
  CLIENT_EMAIL_TAKEN: 'Another customer has this email address.',
  CLIENT_HAS_PROJECTS: 'This customer still has projects. Delete them first.',
  CLIENT_QUOTA_REACHED:
    'Your account has reached its customer limit. Ask your administrator to raise it.',
  PROJECT_NOT_FOUND: "This project doesn't exist. It may have been deleted.",
  PROJECT_HAS_PRODUCT:
    "This project already has a product, which can't be changed after the first activation.",
  PROJECT_HAS_ACTIVE_LICENSES: 'This project has active licenses. Revoke them first.',
  PROJECT_QUOTA_REACHED:
    'Your account has reached its project limit. Ask your administrator to raise it.',
  INVALID_DURATION: 'Enter a number of months within the range.',
  INVALID_TERM: 'Choose months, days, an expiry date or perpetual.',
  SERVICES_REQUIRED: 'Choose at least one service.',

  BIN_ENTRY_NOT_FOUND: 'This was already restored or erased.',
  PARENT_DELETED: 'Its customer or project was deleted. Restore that first.',
  KEY_TAKEN: 'Another license has the same key.',

  PLAN_NOT_FOUND: "This plan doesn't exist. It may have been deleted.",
  PLAN_QUOTA_REACHED: 'You can have at most 1,000 plans.',
  PLAN_NAME_TAKEN: 'Another plan has this name.',
  PLAN_OF_ANOTHER_PRODUCT: 'This plan is for a different product.',

  LICENSE_NOT_FOUND: "This license doesn't exist. It may have been deleted.",
  LICENSE_QUOTA_REACHED:
    'Your account has reached its license limit. Ask your administrator to raise it.',
  MACHINE_QUOTA_REACHED:
    'Your account has reached its machine limit. Ask your administrator to raise it.',
  LICENSE_EXISTS: 'Another license has this reference.',
  LICENSE_ALREADY_REVOKED: 'This license was revoked.',
  LICENSE_SUSPENDED: 'This license is suspended. Resume it first.',
  LICENSE_NOT_ACTIVATED: 'This license was never activated, so its term has not started.',
  LICENSE_IS_PERPETUAL: 'This license is perpetual, so it has no expiry date.',
  LICENSE_TERM_TOO_LONG: 'A license can expire at most 3,660 days from now.',
  UPDATES_UNLIMITED: 'This license has unlimited updates.',
  MACHINES_IN_USE: 'The license has more machines than that. Release some first.',
  LICENSE_TERM_ENDED: 'This license has expired. Renew it first.',
  LICENSE_BOUND_ELSEWHERE: 'Another machine holds the seat. Release it first.',
  LICENSE_OF_ANOTHER_PRODUCT: 'The request and the license are for different products.',
  TERM_REQUIRED: 'This license has no time left. Renew it first.',
  MACHINE_NOT_FOUND: 'This machine was already released.',
  MACHINE_LIMIT_REACHED: 'All seats are in use. Release a machine first.',
  TRIAL_USED: 'This machine has already used a license of this plan.',
  FINGERPRINT_REQUIRED: 'The request has no fingerprint.',
  FINGERPRINT_INVALID:
    'Many machines share this fingerprint. The app must use one that is unique to the machine.',
  PRODUCT_REQUIRED: 'The request has no product.',
};
