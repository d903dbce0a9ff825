// A whole change by the client of the protocol's authors, which checks each message against the protocol's schema:
// node client.mjs DIRECTORY PROGRAM ARGUMENT...
// Prints one line of JSON. The answers to the questions are: once, and then reject.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

const [directory, program, ...words] = process.argv.slice(2);
const told = { questions: [], buffers: [], diffs: [], kinds: [], plans: 0, said: '', stops: [], replayed: 0 };

function start() {
    const agent = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    return { agent, stream: acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)) };
}

function end(agent) {
    return new Promise((resolve) => {
        agent.on('exit', (code, signal) => resolve(code ?? signal));
        agent.stdin.end();
    });
}

const editor = (onUpdate) => acp.client({ name: 'test' })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
        told.questions.push(params.toolCall.title);
        const answer = told.questions.length === 1 ? 'once' : 'reject';
        return { outcome: { outcome: 'selected', optionId: answer } };
    })
    .onRequest(acp.methods.client.fs.readTextFile, ({ params }) => {
        told.buffers.push(params.path);
        return { content: readFileSync(params.path, 'utf8') + (params.path.endsWith('b.txt') ? 'not saved\n' : '') };
    })
    .onNotification(acp.methods.client.session.update, ({ params }) => onUpdate(params.update));

function show(update) {
    if (update.sessionUpdate === 'agent_message_chunk') told.said += update.content.text;
    if (update.sessionUpdate === 'tool_call') told.kinds.push(update.kind);
    if (update.sessionUpdate === 'plan') told.plans++;
    for (const one of update.content ?? []) if (one.type === 'diff' && update.status === 'completed') told.diffs.push(one.path);
}

const hello = { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: { fs: { readTextFile: true } } };
const prompt = (text) => [{ type: 'text', text }];
const until = async (condition) => { while (!condition()) await new Promise((done) => setTimeout(done, 20)); };

const first = start();
const sessionId = await editor(show).connectWith(first.stream, async (context) => {
    await context.request(acp.methods.agent.initialize, hello);
    const session = await context.request(acp.methods.agent.session.new, { cwd: directory, mcpServers: [] });
    const ask = (text) => context.request(
        acp.methods.agent.session.prompt, { sessionId: session.sessionId, prompt: prompt(text) });
    told.stops.push((await ask('Change it')).stopReason);
    await context.request(acp.methods.agent.session.setMode, { sessionId: session.sessionId, modeId: 'all' });
    const waiting = ask('Wait');
    await until(() => existsSync(directory + '/runs'));
    await context.notify(acp.methods.agent.session.cancel, { sessionId: session.sessionId });
    told.stops.push((await waiting).stopReason);
    return session.sessionId;
});
told.exit = await end(first.agent);

const second = start();
await editor((update) => { told.replayed += update.sessionUpdate === 'user_message_chunk' ? 1 : 0; })
    .connectWith(second.stream, async (context) => {
        await context.request(acp.methods.agent.initialize, hello);
        await context.request(acp.methods.agent.session.load, { sessionId, cwd: directory, mcpServers: [] });
    });
told.secondExit = await end(second.agent);
console.log(JSON.stringify(told));
