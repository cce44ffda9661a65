import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { readerOf } from './compiled-body.js';
import { rejectsUnknownFields } from '../../shared/fields/reject-unknown-fields.decorator.js';
import {
  toRejection,
  unknownFields,
  validationError,
} from '../../shared/errors/validation-error.js';

/** Keeps names such as `constructor` in metadata, where every name is data; elsewhere the library removes them. */
class MetadataKeepingPipe extends ValidationPipe {
  protected override stripProtoKeys(body: { metadata?: unknown }): void {
    const { metadata } = body;
    const isObject = typeof metadata === 'object' && metadata && !Array.isArray(metadata);
    const kept = isObject ? { ...metadata } : metadata;
    super.stripProtoKeys(body);
    if (Object.hasOwn(body, 'metadata')) body.metadata = kept;
  }
}

/**
 * Turns bodies, queries and path parameters into their DTO classes, or rejects them with a 400.
 * Unknown fields of a body are dropped, unless its class rejects them. Unknown query parameters are always
 * rejected: a typo there would silently do nothing.
 */
@Injectable()
export class DtoValidationPipe extends MetadataKeepingPipe {
  private readonly strict = new MetadataKeepingPipe({ ...OPTIONS, forbidNonWhitelisted: true });

  constructor() {
    super(OPTIONS);
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'query') return this.transformStrictly(value, metadata);
    if (metadata.type === 'custom') return value;
    if (metadata.type !== 'body') return super.transform(value, metadata);
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw validationError({ body: ['body must be a JSON object'] });
    }
    const { metatype } = metadata;
    if (!metatype) return body;
    if (rejectsUnknownFields(metatype)) return this.transformStrictly(body, metadata);
    return readerOf(metatype)?.(body) ?? super.transform(body, metadata);
  }

  private transformStrictly(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    rejectInherited(value);
    return this.strict.transform(value, metadata);
  }
}

/** class-transformer ignores names of Object.prototype, such as toString, so they are rejected here. */
function rejectInherited(value: unknown): void {
  const names = Object.keys(value ?? {}).filter((name) => name in Object.prototype);
  if (names.length > 0) throw unknownFields(names);
}

const OPTIONS = { whitelist: true, transform: true, exceptionFactory: toRejection } as const;
