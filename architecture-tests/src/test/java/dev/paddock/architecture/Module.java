package dev.paddock.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes a module of the product, and what its code may use besides the JDK and nullness
 * annotations. A new module is one entry in {@link #ALL}; {@link ModuleTest} fails for a module
 * that is on the class path and not in the list, and for one that is in the list and has no classes
 * there.
 */
record Module(String directory, String name, Set<String> modules, Set<String> libraries) {

    /** The ground rules of executors apply to every module with this prefix. */
    private static final String EXECUTOR_PREFIX = "executor-";

    private static final Pattern LOCATION = Pattern.compile("(?:/([a-z0-9-]+)/target/classes/"
            + "|/paddock-([a-z0-9-]+?)-[0-9][^/]*\\.jar!/)dev/paddock/(?:.(?!/target/classes/))*$");

    /** The modules on which a kernel sandbox depends. */
    private static final Set<String> SANDBOX = Set.of(
            "executor-spi",
            "executor-os",
            "executor-process",
            "executor-network",
            "executor-worktree",
            "executor-sandbox");

    /**
     * The modules on which the users of a session depend: the model's adapters, the MCP server, the
     * samples.
     */
    private static final Set<String> SESSION = Set.of("executor-spi", "harness-core", "harness-tools");

    static final List<Module> ALL = List.of(
            new Module("executor-spi", "dev.paddock.executor", Set.of(), Set.of()),
            new Module(
                    "executor-tck",
                    "dev.paddock.executor.tck",
                    Set.of("executor-spi"),
                    Set.of("org.junit", "org.opentest4j", "org.assertj", "org.awaitility", "org.hamcrest")),
            new Module("executor-config", "dev.paddock.executor.config", SANDBOX, Set.of("org.snakeyaml.engine")),
            new Module(
                    "executor-os", "dev.paddock.executor.os", Set.of("executor-spi"), Set.of("jnr", "com.kenai.jffi")),
            new Module(
                    "executor-process",
                    "dev.paddock.executor.process",
                    Set.of("executor-spi", "executor-os"),
                    Set.of("org.apache.commons.exec")),
            new Module(
                    "executor-network",
                    "dev.paddock.executor.network",
                    Set.of("executor-spi", "executor-os", "executor-process"),
                    Set.of()),
            new Module(
                    "executor-worktree",
                    "dev.paddock.executor.worktree",
                    Set.of("executor-spi", "executor-os", "executor-process"),
                    Set.of()),
            new Module(
                    "executor-sandbox",
                    "dev.paddock.executor.sandbox",
                    Set.of("executor-spi", "executor-os", "executor-process", "executor-network", "executor-worktree"),
                    Set.of("jdk.jfr")),
            new Module("executor-host", "dev.paddock.executor.host", SANDBOX, Set.of()),
            new Module("executor-bwrap", "dev.paddock.executor.bwrap", SANDBOX, Set.of()),
            new Module("executor-landlock", "dev.paddock.executor.landlock", SANDBOX, Set.of()),
            new Module("executor-seatbelt", "dev.paddock.executor.seatbelt", SANDBOX, Set.of()),
            new Module("executor-remote", "dev.paddock.executor.remote", SANDBOX, Set.of()),
            new Module(
                    "executor-docker",
                    "dev.paddock.executor.docker",
                    with(SANDBOX, "executor-remote"),
                    Set.of("com.fasterxml.jackson", "com.github.dockerjava")),
            new Module(
                    "executor-kubernetes",
                    "dev.paddock.executor.kubernetes",
                    with(SANDBOX, "executor-remote"),
                    Set.of("com.fasterxml.jackson", "io.fabric8")),
            new Module("executor-ssh", "dev.paddock.executor.ssh", with(SANDBOX, "executor-remote"), Set.of()),
            new Module("harness-files", "dev.paddock.harness.files", Set.of("executor-spi", "executor-os"), Set.of()),
            new Module(
                    "harness-tools",
                    "dev.paddock.harness.tools",
                    Set.of("executor-spi", "harness-files"),
                    Set.of(
                            "com.fasterxml.jackson",
                            "com.github.difflib",
                            "org.jsoup",
                            "org.mozilla.universalchardet",
                            "org.snakeyaml.engine")),
            new Module(
                    "harness-core",
                    "dev.paddock.harness",
                    Set.of("executor-spi", "harness-files", "harness-tools"),
                    Set.of("com.fasterxml.jackson")),
            new Module(
                    "harness-langchain4j",
                    "dev.paddock.harness.langchain4j",
                    SESSION,
                    Set.of("dev.langchain4j", "com.fasterxml.jackson")),
            new Module(
                    "harness-spring-ai",
                    "dev.paddock.harness.springai",
                    with(SESSION, "harness-files"),
                    Set.of("org.springframework.ai", "org.springaicommunity.sandbox", "com.fasterxml.jackson")),
            new Module(
                    "harness-adk",
                    "dev.paddock.harness.adk",
                    Set.of("executor-spi", "executor-os", "harness-files", "harness-workspace"),
                    Set.of("com.google.adk", "com.google.common", "com.fasterxml.jackson")),
            new Module(
                    "harness-koog",
                    "dev.paddock.harness.koog",
                    Set.of("executor-spi"),
                    Set.of("ai.koog", "kotlin", "kotlinx.coroutines")),
            new Module(
                    "harness-pdf",
                    "dev.paddock.harness.pdf",
                    Set.of("executor-spi", "harness-tools"),
                    Set.of("org.apache.commons.logging", "org.apache.fontbox", "org.apache.pdfbox")),
            new Module(
                    "harness-mcp",
                    "dev.paddock.harness.mcp",
                    SESSION,
                    Set.of("com.fasterxml.jackson", "io.modelcontextprotocol", "org.reactivestreams", "reactor")),
            new Module(
                    "harness-acp",
                    "dev.paddock.harness.acp",
                    with(SESSION, "harness-mcp"),
                    Set.of("com.agentclientprotocol", "com.fasterxml.jackson", "reactor")),
            new Module(
                    "harness-workspace",
                    "dev.paddock.harness.workspace",
                    Set.of("executor-spi", "executor-os", "harness-files", "harness-tools"),
                    Set.of("com.fasterxml.jackson")),
            new Module(
                    "harness-audit",
                    "dev.paddock.harness.audit",
                    Set.of("executor-spi"),
                    Set.of("com.fasterxml.jackson", "org.sqlite")),
            new Module(
                    "harness-bindings",
                    "dev.paddock.harness.bindings",
                    Set.of("executor-spi", "harness-audit", "harness-files", "harness-tools", "harness-workspace"),
                    Set.of("com.fasterxml.jackson")),
            new Module(
                    "harness-guest",
                    "dev.paddock.harness.guest",
                    Set.of("executor-spi", "harness-bindings", "harness-files", "harness-tools", "harness-workspace"),
                    Set.of("com.dokar.quickjs", "com.fasterxml.jackson", "kotlin", "kotlinx.coroutines")),
            new Module(
                    "harness-micrometer",
                    "dev.paddock.harness.micrometer",
                    Set.of("executor-spi"),
                    Set.of("io.micrometer")),
            new Module(
                    "samples",
                    "dev.paddock.samples",
                    with(SESSION, "executor-docker", "executor-host", "harness-bindings", "harness-guest"),
                    Set.of()),
            new Module(
                    "harness-cli",
                    "dev.paddock.cli",
                    with(
                            SESSION,
                            "executor-config",
                            "executor-os",
                            "executor-process",
                            "executor-host",
                            "executor-bwrap",
                            "executor-docker",
                            "executor-kubernetes",
                            "executor-landlock",
                            "executor-seatbelt",
                            "harness-audit",
                            "harness-bindings",
                            "harness-files",
                            "harness-guest",
                            "harness-acp",
                            "harness-mcp",
                            "harness-langchain4j",
                            "harness-workspace"),
                    Set.of("com.fasterxml.jackson", "com.github.difflib", "org.jline", "org.slf4j", "org.tomlj")));

    private static Set<String> with(Set<String> modules, String... more) {
        return Stream.concat(modules.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
    }

    static Module of(JavaClass type) {
        String directory = directoryOf(location(type));
        return ALL.stream()
                .filter(module -> module.directory.equals(directory))
                .findFirst()
                .orElseThrow(() -> new AssertionError(type.getName() + " is in " + directory
                        + ", which is no module that the architecture tests know: add it to Module.ALL"));
    }

    /** Returns the jar or class directory that {@code type} was read from. */
    static Path root(JavaClass type) {
        String location = location(type).toString();
        int end = location.startsWith("jar:")
                ? location.indexOf("!/")
                : location.length() - (type.getName().replace('.', '/') + ".class").length();
        return Path.of(URI.create(location.substring(location.startsWith("jar:") ? "jar:".length() : 0, end)));
    }

    /** Returns the descriptor in the module's own module-info. */
    ModuleDescriptor descriptor() {
        Path root = root(Product.classesOf(this).getFirst());
        return ModuleFinder.of(root).findAll().stream()
                .map(ModuleReference::descriptor)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no module in " + root));
    }

    boolean isExecutor() {
        return directory.startsWith(EXECUTOR_PREFIX);
    }

    boolean mayUse(Module other) {
        return equals(other) || modules.contains(other.directory);
    }

    boolean mayUseLibrary(String packageName) {
        return libraries.stream().anyMatch(prefix -> isWithin(packageName, prefix));
    }

    static boolean isWithin(String packageName, String prefix) {
        return packageName.equals(prefix) || packageName.startsWith(prefix + ".");
    }

    private static URI location(JavaClass type) {
        return type.getSource()
                .orElseThrow(() -> new AssertionError(type.getName() + " has no source"))
                .getUri();
    }

    private static String directoryOf(URI location) {
        Matcher matcher = LOCATION.matcher(location.toString());
        if (!matcher.find()) {
            throw new AssertionError("neither a module's classes nor its jar: " + location);
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }

    @Override
    public String toString() {
        return directory;
    }
}
