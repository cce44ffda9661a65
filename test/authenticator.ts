import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';

const [PRESENT, VERIFIED, WITH_KEY] = [0x01, 0x04, 0x40];

interface Credential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
}

/** Deviations from a correct response. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isUserVerified?: boolean;
  readonly counter?: number;
  /** Attests a new passkey with its own key. */
  readonly isAttested?: boolean;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A browser with an authenticator for passkeys (WebAuthn, ES256), in software. */
export class Authenticator {
  private readonly credentials: Credential[] = [];
  counter = 0;

  constructor(private readonly origin: string) {}

  /** Like `navigator.credentials.create`. */
  create(options: PublicKeyCredentialCreationOptionsJSON, deviation: Deviation = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    const id = randomBytes(32);
    const coordinates = [x, y].map((text) => Buffer.from(text!, 'base64url'));
    const key = Buffer.concat([
      // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} in CBOR.
      Buffer.from('a5010203262001215820', 'hex'),
      coordinates[0]!,
      Buffer.from('225820', 'hex'),
      coordinates[1]!,
    ]);
    const rpId = options.rp.id!;
    const authData = Buffer.concat([
      this.authData(rpId, WITH_KEY, deviation),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      key,
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(authData.length);
    const clientDataJSON = this.clientData('webauthn.create', options.challenge, deviation);
    const hash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signature = sign('sha256', Buffer.concat([authData, hash]), privateKey);
    const attestation = deviation.isAttested
      ? [
          ...[text('packed'), text('attStmt'), Buffer.from([0xa2]), text('alg')],
          // -7 (ES256), and a text of up to 255 bytes.
          ...[Buffer.from([0x26]), text('sig'), Buffer.from([0x58, signature.length]), signature],
        ]
      : [text('none'), text('attStmt'), Buffer.from([0xa0])];
    const attestationObject = Buffer.concat([
      ...[Buffer.from([0xa3]), text('fmt'), ...attestation, text('authData')],
      ...[Buffer.from([0x59]), length, authData],
    ]);
    const credential = { id: id.toString('base64url'), rpId, userHandle: options.user.id };
    this.credentials.push({ ...credential, privateKey });
    return response(credential.id, {
      clientDataJSON,
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Like `navigator.credentials.get`, with the latest credential. */
  get(options: PublicKeyCredentialRequestOptionsJSON, deviation: Deviation = {}) {
    const { id, userHandle, rpId, privateKey } = this.credentials.at(-1)!;
    const authenticatorData = this.authData(rpId, 0, deviation);
    const clientDataJSON = this.clientData('webauthn.get', options.challenge, deviation);
    const hash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), privateKey);
    return response(id, {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle,
    });
  }

  private authData(own: string, flags: number, deviation: Deviation): Buffer {
    const { rpId = own, isUserVerified = true, counter = this.counter } = deviation;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | PRESENT | (isUserVerified ? VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), count]);
  }

  private clientData(type: string, challenge: string, deviation: Deviation): string {
    const data = { type, challenge, origin: this.origin, crossOrigin: false, ...deviation };
    const { origin, challenge: signed } = data;
    return Buffer.from(
      JSON.stringify({ type, challenge: signed, origin, crossOrigin: false }),
    ).toString('base64url');
  }
}

const response = <R extends object>(id: string, fields: R) => ({
  ...{ id, rawId: id, type: 'public-key', response: fields, clientExtensionResults: {} },
});

/** A short text in CBOR. */
const text = (value: string) =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
