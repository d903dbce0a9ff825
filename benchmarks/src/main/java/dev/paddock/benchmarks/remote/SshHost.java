package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.measure.Faults;
import dev.paddock.benchmarks.measure.Script;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ssh.SshExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reaches a host by ssh, with one connection that all processes of the program ssh share.
 *
 * @param host as ssh knows it
 * @param config ssh's configuration; empty for the user's
 * @param directory here, with the socket of the shared connection
 * @param scratch a directory on the host
 * @param server that serves it, and ends with this; empty for a host of the user's
 */
record SshHost(String host, Optional<Path> config, Path directory, String scratch, Optional<SshServer> server)
        implements Elsewhere {

    /** Connects to a host; if none is named, to a server on the loopback interface that this starts. */
    static SshHost open(Optional<String> named, Path directory) throws IOException {
        Optional<SshServer> server = named.isPresent() ? Optional.empty() : Optional.of(SshServer.start(directory));
        try {
            Optional<Path> config = server.map(SshServer::config);
            SshHost reached = new SshHost(named.orElse(SshServer.HOST), config, directory, "", server);
            Script scripts = new Script(directory, Map.of());
            scripts.run(reached.ssh("-f -N -M") + " >/dev/null 2>shared.log </dev/null");
            return new SshHost(reached.host(), config, directory, scripts.run(reached.ssh("") + " mktemp -d"), server);
        } catch (IOException fault) {
            server.ifPresent(SshServer::close);
            throw fault;
        }
    }

    private String ssh(String options) {
        return "ssh " + connection() + " " + options + " " + host;
    }

    private String connection() {
        return "-o BatchMode=yes -S " + directory + "/shared"
                + config.map(file -> " -F " + file).orElse("");
    }

    @Override
    public String name() {
        return "ssh";
    }

    @Override
    public String label() {
        return "ssh";
    }

    @Override
    public String program() {
        return "ssh, shared connection";
    }

    @Override
    public CommandExecutor open() {
        return builder().build();
    }

    @Override
    public CommandExecutor open(Path worktree) {
        return builder().worktree(worktree).build();
    }

    private SshExecutor.Builder builder() {
        SshExecutor.Builder builder = SshExecutor.builder(host);
        config.ifPresent(builder::configFile);
        return builder;
    }

    @Override
    public List<String> line() {
        List<String> words = new ArrayList<>(List.of("ssh"));
        words.addAll(List.of(connection().split(" ", -1)));
        words.add(host);
        return words;
    }

    /** Connects anew. */
    @Override
    public String fresh() {
        return "ssh -o BatchMode=yes -S none"
                + config.map(file -> " -F " + file).orElse("") + " " + host + " echo x";
    }

    @Override
    public String tar() {
        return "tar -C \"$TREE\" -cf - . | " + ssh("") + " \"mkdir $TO && tar -C $TO -xf -\"";
    }

    @Override
    public Optional<String> rsync() {
        return Optional.of("rsync -a -e '" + "ssh " + connection() + "' \"$TREE\"/ " + host + ":$TO");
    }

    @Override
    public void close() {
        try {
            Script scripts = new Script(directory, Map.of());
            scripts.run(ssh("") + " rm -rf " + scratch);
            scripts.run(ssh("-O exit") + " 2>/dev/null");
        } catch (IOException fault) {
            System.err.println("paddock bench: " + host + " may keep " + scratch + ": " + Faults.message(fault));
        } finally {
            server.ifPresent(SshServer::close);
        }
    }
}
