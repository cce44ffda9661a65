import type { components } from './schema.js';

type Schemas = components['schemas'];

export type ErrorBody = Schemas['ErrorBody'];
export type Account = Schemas['UserDto'];
export type Role = Schemas['Role'];
export type Member = Schemas['MemberDto'];
export type MemberRole = Schemas['MemberRole'];
export type MfaPolicy = Schemas['MfaPolicy'];
export type Passkey = Schemas['PasskeyDto'];
export type Factors = Schemas['FactorsResponse'];
export type ApiKey = Schemas['ApiKeyDto'];
export type Scope = Schemas['Scope'];
export type Session = Schemas['SessionDto'];
export type Client = Schemas['ClientDto'];
export type BinEntry = Schemas['BinEntryDto'];
export type Project = Schemas['ProjectDto'];
export type Plan = Schemas['PlanDto'];
export type ImportRow = Schemas['ImportRowDto'];
export type ImportResult = Schemas['ImportResult'];
export type ImportOutcome = Schemas['ImportOutcome'];
export type ListedWebhook = Schemas['ListedWebhook'];
export type ListedClient = Schemas['ListedClient'];
export type ListedPlan = Schemas['ListedPlan'];
export type Machine = Schemas['MachineDto'];
export type LicenseStatus = Schemas['LicenseStatus'];
export type ClientSort = Schemas['ClientSort'];
export type LicenseSort = Schemas['LicenseSort'];
export type SortOrder = Schemas['SortOrder'];
export type LicensedService = Schemas['LicensedService'];
export type Found = Schemas['FoundDto'];
export type Event = Schemas['EventDto'];
export type EventType = Schemas['EventType'];
/** The kind of an event: the part of its type before the dot. */
export type EventKind = EventType extends `${infer Kind}.${string}` ? Kind : never;
export type Webhook = Schemas['WebhookDto'];
export type Delivery = Schemas['DeliveryDto'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type Mail = Schemas['MailDto'];
export type MailTemplate = Schemas['MailTemplateDto'];
export type MailObstacle = NonNullable<Schemas['MailTemplateListResponse']['blockedBy']>;
export type Summary = Schemas['SummaryResponse'];
export type SigningKeys = Schemas['SigningKeysResponse'];
export type TokenPair = Schemas['TokenPairResponse'];

/** A license without its key. Pages request the key when the user wants to see it. */
export type License = Omit<Schemas['LicenseDto'], 'key'> & {
  /** Whether the user sees only the last characters of the key. */
  readonly isKeyMasked: boolean;
};

/** @returns the license without its key */
export function withoutKey(license: Schemas['LicenseDto']): License {
  const { key, ...rest } = license;
  return { ...rest, isKeyMasked: key.startsWith('•') };
}
