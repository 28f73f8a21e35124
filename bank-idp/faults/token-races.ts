import { LRUCache } from 'lru-cache'
import type { RecordModel } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** What is used up when it is redeemed. */
const redeemed: readonly {
  slug: string
  breaks: string
  place: string
  title: string
  model: RecordModel
  parameter: string
}[] = [
  {
    slug: 'code',
    breaks: 'TOK-12',
    place: 'grant=code value=both',
    title: 'Knows a code for used only when the tokens are out, so that two exchanges at once succeed',
    model: 'AuthorizationCode',
    parameter: 'code',
  },
  {
    slug: 'refresh-token',
    breaks: 'TOK-44',
    place: 'value=both',
    title: 'Knows a refresh token for used only when the new one is out, so that two refreshes at once give one each',
    model: 'RefreshToken',
    parameter: 'refresh_token',
  },
]

export const tokenRaceFaults: readonly Fault[] = redeemed.map(({ slug, breaks, place, title, model, parameter }) =>
  fault({
    id: `token/${slug}-used-once-answered`,
    breaks: [breaks],
    places: [place],
    title,
    /** When something was redeemed, in seconds since the epoch: as it is answered, and as it is known to requests that come after. */
    memory: () => ({
      answered: new LRUCache<string, number>({ max: 10_000 }),
      known: new LRUCache<string, number>({ max: 10_000 }),
    }),
    request: {
      'POST /token'(form, _bank, { answered, known }) {
        const value = String(form.get(parameter))
        const at = answered.get(value)
        if (at !== undefined) known.set(value, at)
      },
    },
    response: {
      'POST /token'(response, { form }, { answered }) {
        if (response.status === 200) answered.set(String(form.get(parameter)), Math.floor(Date.now() / 1000))
        return response
      },
    },
    records: [
      {
        model,
        ignores: ['consume'],
        found({ consumed: _, ...record }, _bank, { known }) {
          const used = known.get(String(record.jti))
          return used === undefined ? record : { ...record, consumed: used }
        },
      },
    ],
  }),
)
