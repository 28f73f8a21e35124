import { type Fault, fault } from './fault.js'
import { clientOf, perClient, publicClients } from './subject-plans.js'

/** Subjects that are to be public, and depend on something all the same. */
export const publicSubjectFaults: readonly Fault[] = [
  fault({
    id: 'subjects/public-by-authentication',
    breaks: ['SUB-8'],
    places: ['everywhere'],
    title: 'Has a public sub of its own for clients that authenticate by client_secret_post',
    subject: (plan) =>
      plan.sector === undefined && plan.record.token_endpoint_auth_method === 'client_secret_post'
        ? { ...plan, sector: 'by-secret.example' }
        : plan,
  }),
  fault({
    id: 'subjects/public-once-replaced',
    breaks: ['SUB-8'],
    places: ['use=after-put'],
    title: 'Gives pairwise subs at a client of public subjects once a PUT has replaced its record',
    /** The names that clients had after a PUT, by their key sets. */
    memory: perClient,
    response: {
      'PUT /register/{client_id}'(response, _bank, memory) {
        const { client_name: name, jwks_uri: uri } = Object(response.body)
        if (response.status < 300) memory.set(String(uri), String(name))
        return response
      },
    },
    subject: (plan, _bank, memory) =>
      plan.sector === undefined && memory.get(clientOf(plan)) === plan.record.client_name
        ? { ...plan, sector: 'replaced.example' }
        : plan,
  }),
  fault({
    id: 'subjects/public-for-ever',
    breaks: ['SUB-8'],
    places: ['use=after-put member=subject_type'],
    title: 'Goes on to give public subjects to a client that a PUT gave subject_type pairwise',
    memory: publicClients,
    clients: {
      async replace(record, { store, clientId }, known) {
        const before = await store.find(clientId)
        if (before?.record.subject_type === 'public') known.set(record.jwks_uri, true)
        await store.replace(clientId, record)
      },
    },
    subject: (plan, _bank, known) => (known.has(clientOf(plan)) ? { ...plan, sector: undefined } : plan),
  }),
  fault({
    id: 'subjects/public-by-sector',
    breaks: ['SUB-8'],
    places: ['everywhere'],
    title: 'Gives pairwise subs where public is registered',
    subject: (plan) => ({ ...plan, sector: plan.sector ?? new URL(String(plan.record.redirect_uris[0])).hostname }),
  }),
  fault({
    id: 'subjects/public-of-named-sector-pairwise',
    breaks: ['SUB-8'],
    places: ['member=sector_identifier_uri'],
    title: 'Gives pairwise subs where public is registered with a sector_identifier_uri',
    subject: (plan) =>
      plan.sector === undefined && plan.record.sector_identifier_uri !== undefined
        ? { ...plan, sector: new URL(String(plan.record.sector_identifier_uri)).hostname }
        : plan,
  }),
]
