/** What the codes of the service mean to somebody at the console. An unknown code is shown in the service's words. */
export const errorTexts: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'The service does not accept this input.',
  BAD_REQUEST: 'The service does not accept this input.',
  BODY_TOO_LARGE: 'This is more text than the service accepts.',
  UNAUTHORIZED: 'Your session has ended.',
  TOO_MANY_REQUESTS: 'The service asks to wait: too many requests were sent.',
  TOO_MANY_CONCURRENT_REQUESTS: 'The service asks to wait: too many requests were sent at once.',
  TOO_MANY_BULK_CHANGES:
    'The service is still revoking or removing the licenses of many projects. Try again later.',
  INTERNAL_ERROR: 'The service has failed. Tell its operator the request id.',
  PROJECT_CREATION_FAILED: 'The service has failed. Tell its operator the request id.',
  STORE_UNAVAILABLE: 'The service cannot reach its database at the moment.',
  SHUTTING_DOWN: 'The service is being restarted.',
  OVERLOADED: 'The service asks to wait: it has too much work at the moment.',
  CROSS_ORIGIN_REQUEST:
    'The service does not recognize this page as its own. Its operator has to name the reverse proxy in TRUSTED_PROXIES.',
  IDEMPOTENCY_QUOTA_REACHED:
    'The account has sent more writes within 24 hours than it may. Try again later.',

  EMAIL_ALREADY_REGISTERED: 'An account with this e-mail address exists.',
  REGISTRATION_CLOSED: 'Registration is closed. The operator of this service creates the accounts.',
  ACCOUNT_DISABLED: 'The operator of this service has disabled this account.',
  INSUFFICIENT_ROLE: 'Your role does not allow this. An admin of the account can change it.',
  INVALID_INVITATION: 'This invitation was used, withdrawn or has expired. Ask for a new one.',
  WRONG_PASSWORD: 'This is not your current password.',
  INVALID_CREDENTIALS: 'The e-mail address or the password is wrong.',
  SESSION_NOT_FOUND: 'This session has ended.',
  MEMBER_NOT_FOUND: 'This member was removed.',
  MEMBER_QUOTA_REACHED: 'An account has at most 100 members and invitations.',
  MEMBER_IS_OWNER: 'This member is the owner, whom only the operator of this service can change.',
  API_KEY_NOT_FOUND: 'This API key was deleted.',
  API_KEY_QUOTA_REACHED: 'An account has at most 100 API keys.',
  SIGNING_KEY_NOT_CURRENT: 'The signing keys were rotated meanwhile. Look at the new ones first.',
  RETIRED_KEY_QUOTA_REACHED:
    'The keys were rotated 24 times within a year. Rotate later, unless somebody else may have the current key.',

  WEBHOOK_NOT_FOUND: 'This webhook does not exist. It may have been deleted.',
  WEBHOOK_QUOTA_REACHED: 'An account has at most 20 webhooks.',
  WEBHOOK_DISABLED: 'The webhook is disabled. Enable it first.',
  DELIVERY_NOT_FOUND: 'This delivery does not exist. Deliveries are kept for 30 days.',

  CLIENT_NOT_FOUND: 'This client does not exist. It may have been deleted.',
  CLIENT_EMAIL_TAKEN: 'Another client has this e-mail address.',
  CLIENT_HAS_PROJECTS: 'The client has projects. Delete them first.',
  CLIENT_QUOTA_REACHED:
    'The account has as many clients as it may have. The operator of this service can allow more.',
  PROJECT_NOT_FOUND: 'This project does not exist. It may have been deleted.',
  PROJECT_HAS_PRODUCT: 'The project has a product already, which cannot be changed.',
  PROJECT_HAS_ACTIVE_LICENSES: 'The project has active licenses. Revoke them first.',
  PROJECT_QUOTA_REACHED:
    'The account has as many projects as it may have. The operator of this service can allow more.',
  INVALID_DURATION: 'The duration is not a number of months that the service accepts.',
  INVALID_TERM: 'Fill in one of months, days and no end.',
  SERVICES_REQUIRED: 'Choose at least one service.',

  PLAN_NOT_FOUND: 'This plan does not exist. It may have been deleted.',
  PLAN_QUOTA_REACHED: 'An account has at most 1,000 plans.',
  PLAN_NAME_TAKEN: 'Another plan has this name.',
  PLAN_OF_ANOTHER_PRODUCT: 'This plan is for projects of another product.',

  LICENSE_NOT_FOUND: 'This license does not exist. It may have been deleted.',
  LICENSE_QUOTA_REACHED:
    'The account has as many licenses as it may have. The operator of this service can allow more.',
  MACHINE_QUOTA_REACHED:
    'The account has as many machines as it may have. The operator of this service can allow more.',
  LICENSE_EXISTS: 'Another license has this external id.',
  LICENSE_ALREADY_REVOKED: 'This license was revoked.',
  LICENSE_SUSPENDED: 'This license is suspended. Resume it first.',
  LICENSE_NOT_ACTIVATED: 'This license was never activated, so its term has not begun.',
  LICENSE_IS_PERPETUAL: 'This license has no end that could be moved.',
  LICENSE_TERM_TOO_LONG: 'A term has at most 3,660 days, renewals included.',
  LICENSE_TERM_ENDED: 'The term of this license has ended. Renew it first.',
  LICENSE_BOUND_ELSEWHERE:
    'Another machine holds the seat of this license. Release that machine first.',
  LICENSE_OF_ANOTHER_PRODUCT: 'The request is for another product than that of the license.',
  TERM_REQUIRED: 'Nothing is left of the term of this license. Renew it first.',
  MACHINE_NOT_FOUND: 'This machine was released.',
  MACHINE_LIMIT_REACHED: 'All seats of this license are taken. Release a machine first.',
  TRIAL_USED: 'This machine has used a trial of this plan before.',
  FINGERPRINT_REQUIRED: 'The request does not name a machine.',
  PRODUCT_REQUIRED: 'The request does not name a product.',
};
