import { body, fault, omit } from './fault.js'

const route = 'POST /token'

export const tokenFaults = [
  fault({
    id: 'token/scope-missing',
    breaks: ['TOK-2'],
    title: 'Leaves scope out of the token response',
    collateral: { 'token/code-exchange': 'the token response of TOK-1 has scope among its members' },
    response: { [route]: body((tokens) => omit(tokens, 'scope')) },
  }),
  fault({
    id: 'token/scope-one-too-many',
    breaks: ['TOK-2'],
    title: 'Lists a scope that was not granted',
    response: { [route]: body((tokens) => ({ ...tokens, scope: `${tokens.scope} profile.verification` })) },
  }),
  fault({
    id: 'token/scope-one-too-few',
    breaks: ['TOK-2'],
    title: 'Lists only the first of the granted scopes',
    response: { [route]: body((tokens) => ({ ...tokens, scope: String(tokens.scope).split(' ')[0] })) },
  }),
  fault({
    id: 'token/scope-by-commas',
    breaks: ['TOK-2'],
    title: 'Separates the granted scopes by commas',
    response: { [route]: body((tokens) => ({ ...tokens, scope: String(tokens.scope).replaceAll(' ', ',') })) },
  }),
  fault({
    id: 'token/scope-list',
    breaks: ['TOK-2'],
    title: 'Gives the granted scopes as an array',
    collateral: { 'token/code-exchange': 'the token response of TOK-1 has scope among its members' },
    response: { [route]: body((tokens) => ({ ...tokens, scope: String(tokens.scope).split(' ') })) },
  }),
  fault({
    id: 'token/no-id-token',
    breaks: ['TOK-1'],
    title: 'Leaves id_token out of the token response',
    response: { [route]: body((tokens) => omit(tokens, 'id_token')) },
  }),
  fault({
    id: 'token/other-type',
    breaks: ['TOK-1'],
    title: 'Says token_type MAC',
    response: { [route]: body((tokens) => ({ ...tokens, token_type: 'MAC' })) },
  }),
]
