import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'

export const tokenRaceFaults: readonly Fault[] = [
  fault({
    id: 'token/code-used-once-answered',
    breaks: ['TOK-12'],
    places: ['grant=code value=both'],
    title: 'Knows a code for used only when the tokens are out, so that two exchanges at once succeed',
    /** When a code was redeemed, in seconds since the epoch: as it was answered, and as it is known to requests that came after that. */
    memory: () => ({
      answered: new Latest<number>(10_000),
      known: new Latest<number>(10_000),
    }),
    request: {
      'POST /token'(form, _bank, { answered, known }) {
        const code = String(form.get('code'))
        const at = answered.get(code)
        if (at !== undefined) known.set(code, at)
      },
    },
    response: {
      'POST /token'(response, { form }, { answered }) {
        if (response.status === 200) answered.set(String(form.get('code')), Math.floor(Date.now() / 1000))
        return response
      },
    },
    records: [
      {
        model: 'AuthorizationCode',
        ignores: ['consume'],
        found({ consumed: _, ...record }, _bank, { known }) {
          const used = known.get(String(record.jti))
          return used === undefined ? record : { ...record, consumed: used }
        },
      },
    ],
  }),
]
