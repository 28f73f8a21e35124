import type { InputSchema, JsonSchema, Operation } from './operation.js'
import { inputSchema } from './operation.js'

/** Below which path the control API answers. A change that breaks who uses it gets another. */
export const version = 'v1'

const errorAnswer = {
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'error_description'],
        properties: { error: { type: 'string' }, error_description: { type: 'string' } },
      },
    },
  },
}

const responses = {
  '400': { description: 'What was asked is wrong; error_description says what was meant.', ...errorAnswer },
  '401': { description: 'The token is wrong, or a web page asked.', ...errorAnswer },
  '404': { description: 'What was asked for is not there.', ...errorAnswer },
}

const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } })

/** Names of the members of an input that stand in a path. */
export function pathMembers(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
}

/** The input without the members of the path, which are sent as the body. */
function bodySchema({ input, path }: Operation): InputSchema {
  const inPath = pathMembers(path)
  const left = Object.entries(input.properties).filter(([name]) => !inPath.includes(name))
  const required = (input.required ?? []).filter((name) => !inPath.includes(name))
  return { properties: Object.fromEntries(left), ...(required.length > 0 && { required }) }
}

function without(names: readonly string[], members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

function described(operation: Operation): object {
  const { id, method, path, summary, input, output, example } = operation
  const inPath = pathMembers(path)
  const body = bodySchema(operation)
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || (input.required?.includes(name) ?? false),
    schema: input.properties[name],
    example: Reflect.get(example.input, name),
  })
  const inQuery = method === 'get' ? Object.keys(body.properties) : []
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...inQuery.map((name) => parameter(name, 'query')),
  ]
  return {
    operationId: id,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'post' && {
      requestBody: {
        required: (body.required?.length ?? 0) > 0,
        content: json(inputSchema(body), without(inPath, example.input)),
      },
    }),
    responses: { '200': { description: 'It is done.', content: json(output, example.output) }, ...responses },
  }
}

/** The OpenAPI 3.1 document of these operations. @param address of the control API, with its version */
export function openApi(operations: readonly Operation[], address: string): object {
  const paths = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const there = operations.filter((operation) => operation.path === path)
    return [path, Object.fromEntries(there.map((operation) => [operation.method, described(operation)]))]
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of bank-idp',
      version,
      description:
        'What can be done to a running bank for tests (docs/control-door.md). Never offer it where real people log in.',
    },
    servers: [{ url: address }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}
