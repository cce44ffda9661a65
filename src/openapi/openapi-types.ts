import type { OpenAPIObject } from '@nestjs/swagger';

// @nestjs/swagger does not export these types by name.
type Components = NonNullable<OpenAPIObject['components']>;
export type Headers = NonNullable<Components['headers']>;
export type Schema = NonNullable<Components['schemas']>[string];
export type Examples = NonNullable<Components['examples']>;
type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Responses = Operation['responses'];
export type Response = Extract<NonNullable<Responses[string]>, { description: string }>;
