import type { OpenAPIObject } from '@nestjs/swagger';

// @nestjs/swagger does not export these types by name.
type All = Required<NonNullable<OpenAPIObject['components']>>;
export type Headers = All['headers'];
export type Components = Pick<All, 'examples' | 'responses'>;
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Body = Extract<Operation['requestBody'], { content: object }>;
export type Response = Extract<Operation['responses'][string], { description: string }>;
