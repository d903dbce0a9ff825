package dev.paddock.cli.command;

import dev.paddock.executor.ExecutorProviders;
import java.util.ArrayList;
import java.util.List;

/** The options that {@link ExecutionOptions} reads. */
public final class SandboxFlags {
    public static final String AUTO = ExecutorProviders.AUTO;
    public static final String HOST = "host";

    public static final Option EXECUTOR = Option.of(
                    "--executor",
                    "NAME",
                    "where commands run: auto (the default) takes the strongest",
                    "sandbox usable here, never the host; or host, bwrap,",
                    "landlock, seatbelt, docker, kubernetes, ssh; or several",
                    "sandboxes, as bwrap,docker: the first usable one. 'paddock",
                    "doctor' shows which can be used")
            .withChoices(AUTO, HOST, "bwrap", "landlock", "seatbelt", "docker", "kubernetes", "ssh");
    public static final Option SHELL = Option.of(
                    "--shell",
                    "bash|sh",
                    "the shell of commands; without it a model's have bash",
                    "where the sandbox has one, and those of exec sh")
            .withChoices("bash", "sh");
    static final Option EXEC_CWD = Option.of(
            "--exec-cwd", "PATH", "where commands see the worktree; its own path by", "default, /work with --image");
    public static final Option IMAGE =
            Option.of("--image", "IMAGE", "docker, kubernetes: makes a container, or a pod, of this", "image");
    static final Option CONTAINER =
            Option.of("--container", "ID", "docker: uses this running container; kubernetes: the", "pod's container");
    static final Option REMOTE_HOST = Option.of(
            "--host", "[USER@]HOST", "ssh: the host, as on ssh's command line; nothing confines", "commands there");
    static final Option POD = Option.of("--pod", "NAME", "kubernetes: uses this running pod");
    public static final Option CLAIM = Option.of(
            "--claim",
            "TEMPLATE",
            "kubernetes: claims a sandbox of this template from the",
            "cluster's agent-sandbox, where v1beta1 needs a pool of it");
    public static final Option NAMESPACE =
            Option.of("--namespace", "NAME", "kubernetes: the namespace; the context's by default");
    public static final Option CONTEXT =
            Option.of("--context", "NAME", "kubernetes: the kubeconfig's context; the current one by", "default");
    public static final Option SETTING = Option.repeatable(
            "--setting",
            "NAME=VALUE",
            "a setting of the backend's own, such as port=2222 for",
            "ssh; the documentation of each backend lists them");
    public static final Option NETWORK = Option.of(
                    "--network", "off|open", "off by default; the host cannot switch it off")
            .withChoices("off", "open");
    public static final Option ALLOW = Option.repeatable(
            "--allow",
            "HOST[:PORT]",
            "the network of this host alone, on ports 80 and 443 unless",
            "a port is given; *.example.org names the hosts below;",
            "HOST/private lets it have a private address, HOST/100m",
            "bounds the bytes; localhost:PORT is that port of this",
            "machine's; @NAME is a group of the configuration's.",
            "Instead of --network");
    public static final Option HOST_PROXY = Option.flag(
            "--host-proxy", "reaches the hosts of --allow through your HTTPS_PROXY,", "which resolves their names");
    public static final Option PROXY_VARIABLES = Option.flag(
            "--proxy-variables",
            "sets HTTPS_PROXY and its like for commands, to a proxy that",
            "reaches the hosts of --allow; no program needs it");
    public static final Option MEMORY = Option.of("--memory", "SIZE", "memory limit, such as 512m or 2g");
    public static final Option CPUS = Option.of("--cpus", "N", "processors, such as 1.5");
    public static final Option PIDS = Option.of("--pids", "N", "processes at one time");
    public static final Option MOUNT = Option.repeatable(
            "--mount",
            "SRC:DST[:ro|rw]",
            "shows a file or directory besides the worktree, read-only",
            "unless rw; ~/ in DST is the sandbox's home");
    static final Option TOOLCHAINS = Option.of(
                    "--toolchains",
                    "path|off",
                    "path (the default) shows the programs of your PATH,",
                    "read-only; a container has its image's")
            .withChoices("path", "off");
    static final Option IDENTITY = Option.of(
                    "--identity", "user|none", "user (the default) passes your git user.name and", "user.email on")
            .withChoices("user", "none");
    static final Option CACHE = Option.repeatable(
            "--cache",
            "KIND[,KIND]",
            "keeps downloads for the worktree's next command: maven,",
            "npm, pip, cargo, gradle, sbt, go, uv, pnpm, yarn, bun,",
            "deno, composer, bundler, ccache, sccache, playwright;",
            "never in your own caches");
    static final Option CACHE_SCOPE = Option.of(
                    "--cache-scope", "worktree|user", "which sessions share a cache; worktree by default")
            .withChoices("worktree", "user");
    static final Option CACHE_FROM_HOME = Option.flag(
            "--cache-from-home", "begins a cache with a copy of yours, without settings", "and credentials");
    public static final Option ENV = Option.repeatable("--env", "NAME=VALUE", "sets a variable for commands");
    public static final Option PASS_ENV = Option.repeatable(
            "--pass-env",
            "NAME",
            "passes a variable of yours on; one whose name looks like",
            "a credential's only if written NAME!");
    public static final Option KILL_GRACE = Option.of(
            "--kill-grace",
            "SECONDS",
            "the time between SIGTERM and SIGKILL, 2 by default;",
            "4 at most once paddock itself receives SIGTERM");
    public static final Option NO_AUDIT =
            Option.flag("--no-audit", "writes no audit records, which 'paddock audit' lists");

    /** The options that apply to the commands in a workspace, whose sandbox is stored with it. */
    public static final List<Option> OF_WORKSPACES = List.of(
            ConfigFiles.CONFIG, TOOLCHAINS, IDENTITY, CACHE, CACHE_SCOPE, CACHE_FROM_HOME, ENV, PASS_ENV, NO_AUDIT);

    /** The options in the sections of the help. */
    static final List<Section> SECTIONS = List.of(
            new Section(
                    "Where commands run",
                    List.of(
                            WorktreeChoice.WORKTREE,
                            WorktreeChoice.ALLOW_HOME,
                            EXECUTOR,
                            IMAGE,
                            CONTAINER,
                            EXEC_CWD,
                            SHELL,
                            ConfigFiles.CONFIG)),
            new Section("On another machine", List.of(REMOTE_HOST, POD, CLAIM, NAMESPACE, CONTEXT, SETTING)),
            new Section(
                    "What commands can reach",
                    List.of(
                            NETWORK,
                            ALLOW,
                            HOST_PROXY,
                            PROXY_VARIABLES,
                            MOUNT,
                            TOOLCHAINS,
                            IDENTITY,
                            CACHE,
                            CACHE_SCOPE,
                            CACHE_FROM_HOME,
                            ENV,
                            PASS_ENV)),
            new Section("Limits and records", List.of(MEMORY, CPUS, PIDS, KILL_GRACE, NO_AUDIT)));

    public static final List<Option> ALL = all();

    /** Without a lambda, which would slow each start of a command. */
    private static List<Option> all() {
        List<Option> all = new ArrayList<>();
        for (Section section : SECTIONS) {
            all.addAll(section.options());
        }
        return List.copyOf(all);
    }

    /**
     * A section of the help.
     *
     * @param title its title
     * @param options its options, in order
     */
    record Section(String title, List<Option> options) {}

    private SandboxFlags() {}
}
