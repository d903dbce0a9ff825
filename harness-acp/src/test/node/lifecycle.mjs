// Modes, plan, thoughts, a prompt during a prompt, a question without an answer, a resumed session, and an end without
// a word, by the client of the protocol's authors: node lifecycle.mjs DIRECTORY PROGRAM ARGUMENT...
// Prints one line of JSON. All questions but the one about 'touch never' are answered: once.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

const [directory, program, ...words] = process.argv.slice(2);
const told = { questions: [], thoughts: '', plan: [], stops: [], resumed: [] };
const agent = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const gone = new Promise((resolve) => agent.on('exit', (code, signal) => resolve(code ?? signal)));
const { agent: methods } = acp.methods;

let updates = [];
let silent;
const asked = new Promise((resolve) => { silent = resolve; });

const editor = acp.client({ name: 'test' })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
        told.questions.push(params.toolCall.title);
        if (params.toolCall.title.includes('never')) {
            silent();
            return new Promise(() => {});
        }
        return { outcome: { outcome: 'selected', optionId: 'once' } };
    })
    .onNotification(acp.methods.client.session.update, ({ params: { update } }) => {
        updates.push(update.sessionUpdate);
        if (update.sessionUpdate === 'agent_thought_chunk') told.thoughts += update.content.text;
        if (update.sessionUpdate === 'plan') told.plan = update.entries.map((one) => `${one.status} ${one.content}`);
    });

const refusal = (request) => request.then(() => 'none', (error) => error.code);

await editor.connectWith(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async (context) => {
    const hello = await context.request(methods.initialize, { protocolVersion: 99, clientCapabilities: {} });
    told.version = hello.protocolVersion;
    const { sessionId, modes } = await context.request(methods.session.new, { cwd: directory, mcpServers: [] });
    told.modes = modes.availableModes.map((one) => one.id);
    const mode = (modeId) => context.request(methods.session.setMode, { sessionId, modeId });
    const ask = (text) => context.request(methods.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
    const stop = async (request) => told.stops.push((await request).stopReason);

    await mode('edits');
    await stop(ask('Write, and start a shell'));
    const waiting = ask('Ask me');
    await asked;
    told.second = await refusal(ask('And this'));
    await context.notify(methods.session.cancel, { sessionId });
    await stop(waiting);
    await mode('all');
    await stop(ask('All'));
    told.unknownMode = await refusal(mode('yolo'));

    await context.request(methods.session.close, { sessionId });
    updates = [];
    await context.request(methods.session.resume, { sessionId, cwd: directory, mcpServers: [] });
    told.resumed = updates.slice();
    await stop(ask('Again'));
    agent.stdin.destroy();
    agent.stdout.destroy();
});
told.exit = await gone;
console.log(JSON.stringify(told));
process.exit(0);
