import { packedProject } from './testing/packed-project.js'

const project = await packedProject()

test('the packed package starts a bank in a project that has its dependencies alone', async () => {
  const script = project.write(
    'bank.js',
    `import { createBank } from 'bank-idp-conformance'
const bank = await createBank()
process.stdout.write(await bank.listen())
await bank.close()`,
  )
  expect(await project.run(script)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^https:\/\/localhost:\d+$/),
  })
})
