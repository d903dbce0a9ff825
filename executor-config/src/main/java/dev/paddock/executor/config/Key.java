package dev.paddock.executor.config;

import dev.paddock.executor.config.grant.CacheKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of a file, in display order: the only table of a file's permitted content, which the reader, the schema and
 * the display use.
 */
enum Key {
    EXTENDS(
            "extends",
            Kind.TEXT,
            "A preset (sandbox, untrusted, build, offline, open, development), or another file; it is beneath this one."),
    EXECUTOR(
            "executor",
            Kind.TEXT,
            "The backend: auto takes the strongest sandbox that is usable, never the host; of a list the first usable."),
    IMAGE("image", Kind.TEXT, "docker, kubernetes: makes a container, or a pod, of this image."),
    CONTAINER("container", Kind.TEXT, "docker: uses this running container. kubernetes: the pod's container."),
    SETTINGS(
            "settings",
            Kind.MAP,
            "Settings of the backend by name: host for ssh; namespace, context, pod and claim for kubernetes."),
    NETWORK(
            "network",
            Kind.TEXT,
            "off, open, or { allow: [example.org, '*.example.org:8443'] }: the hosts that commands reach."),
    ALLOW(
            "network.allow",
            Kind.LIST,
            "Hosts, each HOST[:PORT,PORT][/private][/SIZE], or a group as @NAME; 80 and 443 without ports."),
    ALLOW_PROXY(
            "network.proxy",
            Kind.TEXT,
            "host reaches the allowed hosts through your HTTPS_PROXY; none (the default) directly."),
    PROXY_VARIABLES(
            "network.proxy-variables",
            Kind.TEXT,
            "true gives commands a proxy besides, and HTTPS_PROXY and its like; no program needs it."),
    NETWORK_DOCKER(
            "network.docker",
            Kind.TEXT,
            "docker: the open network of this name, which docker network create made; instead of allow."),
    UNIX_SOCKETS(
            "unix-sockets",
            Kind.TEXT,
            "on (the default): commands reach those of the worktree and the mounts; off: none."),
    GROUPS("groups", Kind.MAP, "Lists of hosts by names of yours, for network.allow and --allow."),
    LIMITS("limits", Kind.MAP, "Limits on the machine's resources; a backend that cannot enforce one refuses it."),
    MEMORY("limits.memory", Kind.TEXT, "Memory, swap included: 512m, 2g."),
    CPUS("limits.cpus", Kind.TEXT, "Processors, such as 1.5."),
    PROCESSES("limits.processes", Kind.TEXT, "Processes and threads at one time."),
    FILE_SIZE("limits.file-size", Kind.TEXT, "The largest file that a command may write: 100m."),
    TMP("tmp", Kind.MAP, "docker: the commands' /tmp."),
    TMP_SIZE("tmp.size", Kind.TEXT, "Its size: 64m; 1g by default."),
    TMP_EXEC("tmp.exec", Kind.TEXT, "false lets no program be executed from it."),
    ROOT(
            "root",
            Kind.TEXT,
            "docker, bwrap: writable lets commands change the system's files, in a layer that is thrown away; or read-only."),
    MOUNTS("mounts", Kind.LIST, "Files and directories that commands see besides the worktree."),
    SOURCE("mounts.source", Kind.TEXT, "The path on the host; relative to this file, or from ~/."),
    TARGET("mounts.target", Kind.TEXT, "The path that commands see: absolute, or from ~/, the sandbox's home."),
    ACCESS("mounts.access", Kind.TEXT, "ro (the default) or rw."),
    ENVIRONMENT("environment", Kind.MAP, "The variables of commands."),
    PASS("environment.pass", Kind.LIST, "Variables of the caller; one that looks like a credential only as NAME!."),
    SET("environment.set", Kind.MAP, "Variables by name and value."),
    FROM_WORKTREE(
            "environment.from-worktree",
            Kind.LIST,
            "Variables that a file in the worktree may set, besides harmless ones such as LANG, CI and NODE_ENV."),
    TOOLCHAINS(
            "toolchains",
            Kind.TEXT,
            "path grants the programs of your PATH, read-only, where commands see the host's paths; or off."),
    IDENTITY(
            "identity",
            Kind.TEXT,
            "user passes your git name, address and settings on, and no programs, keys or addresses; or none."),
    SHELL("shell", Kind.TEXT, "bash or sh, for the model's commands; without it bash where the sandbox has one."),
    CACHES(
            "caches",
            Kind.LIST,
            "Build tools whose cache outlives the session, in a directory of Paddock's: " + CacheKind.words() + "."),
    CACHE_SCOPE("cache-scope", Kind.TEXT, "Which sessions share a cache: worktree (the default) or user."),
    CACHE_FROM_HOME(
            "cache-from-home",
            Kind.TEXT,
            "true begins a cache with a copy of yours, without settings and credentials."),
    AUDIT("audit", Kind.TEXT, "on (the default of the paddock command), required, or off: records of commands."),
    MCP("mcp", Kind.MAP, "MCP servers whose tools paddock agent offers to its model, by name."),
    MCP_COMMAND("mcp.command", Kind.TEXT, "The shell command that starts the server."),
    MCP_RUN("mcp.run", Kind.TEXT, "Where the command runs: sandbox (the default), as commands do, or host."),
    MCP_ENV("mcp.env", Kind.MAP, "Variables of the command, by name and value."),
    MCP_PASS("mcp.pass", Kind.LIST, "Variables of yours for the command, by name."),
    MCP_URL("mcp.url", Kind.TEXT, "The address of a server that is reached by HTTP, from the host."),
    MCP_TOKEN("mcp.token", Kind.TEXT, "The variable of yours that holds the bearer token for that address."),
    MODELS("models", Kind.MAP, "Models of paddock agent by names of yours; default is taken if none is named."),
    MODEL_PROVIDER("models.provider", Kind.TEXT, "anthropic, openai, ollama or openai-compatible."),
    MODEL_MODEL("models.model", Kind.TEXT, "The model, as its provider calls it."),
    MODEL_BASE_URL("models.base-url", Kind.TEXT, "Where the provider is, if elsewhere than usual."),
    MODEL_KEY_ENV("models.key-env", Kind.TEXT, "The variable that holds the provider's key."),
    MODEL_MAX_TOKENS("models.max-tokens", Kind.TEXT, "How long one answer may be, in tokens.");

    /** The form of a key's value. */
    enum Kind {
        TEXT,
        LIST,
        MAP
    }

    private final String path;
    private final Kind kind;
    private final String help;

    Key(String path, Kind kind, String help) {
        this.path = path;
        this.kind = kind;
        this.help = help;
    }

    /** Returns the names from the file's root, joined by dots. */
    String path() {
        return path;
    }

    /** Returns the last of the names. */
    String word() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    Kind kind() {
        return kind;
    }

    String help() {
        return help;
    }

    /** Returns the keys directly below a path; those of the root below the empty path. */
    static List<Key> below(String parent) {
        return Stream.of(values())
                .filter(key -> key.path.equals(parent.isEmpty() ? key.word() : parent + "." + key.word()))
                .toList();
    }

    /**
     * Returns the key with a path.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Key ofPath(String path) {
        return Stream.of(values())
                .filter(key -> key.path.equals(path))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no key '" + path + "'"));
    }

    static Optional<Key> find(String parent, String word) {
        return below(parent).stream().filter(key -> key.word().equals(word)).findFirst();
    }
}
