import { EvidenceLog, type Recorder } from './evidence.js'
import { Masking } from './masking.js'

const fetched = { method: 'GET', url: 'https://service.example/jwks.json', headers: {} }
const posted = { method: 'POST', url: 'https://service.example/notify', headers: {} }
const asked = { method: 'GET', url: 'https://bank.example/userinfo', headers: {} }

const idsOf = (recorder: Recorder) => recorder.all().map(({ id }) => id)

test('of a shared step a rule has what was fetched while the step or the rule was under way, and not what others caused between', () => {
  const log = new EvidenceLog(new Masking())
  const step = log.recorder()
  const own = step.begin('sent', asked).id
  const during = step.begin('received', fetched).id
  step.ended()
  const between = step.begin('received', fetched).id
  const told = step.begin('received', posted).id
  const rule = log.recorder()
  rule.use(step)
  const since = step.begin('received', fetched).id
  expect(idsOf(rule)).toEqual([own, during, told, since])
  expect(idsOf(step)).toEqual([own, during, between, told, since])
  const later = log.recorder()
  later.use(step)
  expect(idsOf(later)).toEqual([own, during, told])
})
