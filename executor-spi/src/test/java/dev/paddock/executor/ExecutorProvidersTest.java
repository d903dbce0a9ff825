package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.BackendUpkeep;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the choice of a backend. Each test installs its own providers through the context class
 * loader.
 */
class ExecutorProvidersTest {
    private static final SandboxPolicy POLICY = SandboxPolicy.unconfined(PathMapping.same(Path.of("/work")));
    private static final ExecutorOptions OPTIONS = ExecutorOptions.of(POLICY);

    @TempDir
    private Path directory;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void putBack() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void install(Object... providers) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        List<String> names = Stream.of(providers)
                .map(each -> each instanceof Class<?> type ? type.getName() : each.toString())
                .toList();
        Files.write(services.resolve(ExecutorProvider.class.getName()), names);
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before));
    }

    @Test
    void installedAreSortedByName() throws Exception {
        install(Second.class, First.class, NeverChosen.class);
        assertThat(ExecutorProviders.installed())
                .extracting(ExecutorProvider::name)
                .containsExactly("first", "second", "zoo");
    }

    @Test
    void oneThatFailsToLoadIsPassedOver() throws Exception {
        install("no.such.Provider", ThrowsWhenMade.class, First.class);
        assertThat(ExecutorProviders.installed())
                .extracting(ExecutorProvider::name)
                .containsExactly("first");
    }

    @Test
    void preloadingReachesEveryBackendThatCanBeLoaded() throws Exception {
        install("no.such.Provider", ThrowsWhenPreloaded.class, Preloaded.class);
        ExecutorProviders.preload();
        assertThat(Preloaded.loaded).isTrue();
    }

    @Test
    void namedFindsIt() throws Exception {
        install(First.class, Second.class);
        assertThat(ExecutorProviders.named("second")).isInstanceOf(Second.class);
    }

    @Test
    void unknownNameListsWhatThereIs() throws Exception {
        install(First.class, Second.class);
        assertThatThrownBy(() -> ExecutorProviders.named("third"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'third'")
                .hasMessageContaining("first, second");
    }

    @Test
    void nothingInstalledIsReported() throws Exception {
        install();
        assertThatThrownBy(() -> ExecutorProviders.named("first")).hasMessageContaining("installed here: none");
    }

    @Test
    void twoOfOneNameAreError() throws Exception {
        install(First.class, AlsoFirst.class);
        assertThatThrownBy(() -> ExecutorProviders.named("first"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(First.class.getName())
                .hasMessageContaining(AlsoFirst.class.getName());
    }

    @Test
    void autoTakesUsableOneOfLowestRank() throws Exception {
        install(Second.class, First.class, Broken.class);
        assertThat(ExecutorProviders.auto(POLICY, Map.of()).name()).isEqualTo("made by first");
    }

    @Test
    void executorsThatCannotTellTheirGuaranteesAreDisposedOf() throws Exception {
        install(Speechless.class);
        Speechless.disposed = 0;
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Set.of(Guarantee.TREE_KILL)))
                .isInstanceOf(SandboxLostException.class)
                .hasMessageContaining("its engine is gone");
        assertThat(Speechless.disposed).as("by auto").isEqualTo(1);
        ExecutorOptions observed = ExecutorOptions.of(POLICY).onRelayedConnection(connection -> {});
        assertThatThrownBy(() -> ExecutorProviders.named("speechless").create(observed))
                .isInstanceOf(SandboxLostException.class);
        assertThat(Speechless.disposed).as("by create").isEqualTo(2);
    }

    @Test
    void autoTakesFirstOneThatHasWhatIsRequired() throws Exception {
        install(First.class, Second.class, Guarantees.class, Broken.class);
        Guarantees.closed = 0;
        assertThat(ExecutorProviders.auto(POLICY).name()).isEqualTo("made by first");
        assertThat(ExecutorProviders.auto(POLICY, Set.of()).name()).isEqualTo("made by first");
        assertThat(ExecutorProviders.auto(POLICY, Set.of(Guarantee.TREE_KILL)).name())
                .isEqualTo("made by guarantees");
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Set.of(Guarantee.TREE_KILL, Guarantee.NETWORK_OFF)))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("first: it does not guarantee ")
                .hasMessageContaining("guarantees: it does not guarantee NETWORK_OFF here with this policy")
                .hasMessageContaining("broken: it is broken (Mend it.)");
        assertThat(Guarantees.closed).as("executors that were not good enough").isEqualTo(1);
    }

    /** A backend without a priority, such as the host, is never chosen, even if it is usable. */
    @Test
    void autoNeverTakesWhatHasNoRank() throws Exception {
        install(NeverChosen.class, Broken.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.backend()).as("the only one to choose").isEqualTo("broken");
                    assertThat(thrown).hasMessage("broken is not available: it is broken. Mend it.");
                    assertThat(thrown.remedy()).isNotBlank();
                });
    }

    @Test
    void autoNamesEveryBackendThatIsUnusable() throws Exception {
        install(Broken.class, AlsoBroken.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.backend()).isEqualTo("auto");
                    assertThat(thrown)
                            .hasMessageContaining("broken: it is broken (Mend it.)")
                            .hasMessageContaining("also broken: it is broken (Mend it.)");
                });
    }

    @Test
    void autoWithNothingInstalledSaysSo() throws Exception {
        install(NeverChosen.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("no sandbox backend is installed");
    }

    @Test
    void autoWithSettingsThatNoneHasNamesThem() throws Exception {
        install(NeverChosen.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of("pod", "p", "namespace", "n")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessage("auto is not available: no sandbox is chosen by 'auto' if these are set: namespace, pod."
                        + " Name the executor that they are settings of, or leave them out.");
    }

    @Test
    void autoDoesNotTryWeakerOneWhenPolicyIsRefused() throws Exception {
        install(Refuses.class, Second.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(UnsupportedPolicyException.class);
    }

    @Test
    void openTakesNameOrAuto() throws Exception {
        install(First.class, NeverChosen.class);
        assertThat(ExecutorProviders.open("zoo", OPTIONS).name()).isEqualTo("made by zoo");
        assertThat(ExecutorProviders.open(ExecutorProviders.AUTO, OPTIONS).name())
                .isEqualTo("made by first");
        assertThatThrownBy(() -> ExecutorProviders.open("third", OPTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no backend named 'third'; installed here: first, zoo");
    }

    @Test
    void observerIsRefusedByBackendThatDoesNotReportConnections() throws Exception {
        install(NeverChosen.class);
        ExecutorOptions allowing = ExecutorOptions.of(
                POLICY.toBuilder().network(NetworkPolicy.allow("example.org")).build());
        assertThat(ExecutorProviders.open("zoo", allowing).name())
                .as("control: without an observer")
                .isEqualTo("made by zoo");
        assertThatThrownBy(() -> ExecutorProviders.open("zoo", allowing.onConnection(seen -> {})))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the zoo backend reports no connections")
                .hasMessageContaining("leave them out");
        assertThatThrownBy(() -> ExecutorProviders.open("zoo", allowing.approveHosts((host, port) -> true)))
                .isInstanceOf(UnsupportedPolicyException.class);
    }

    @Test
    void observerIsRefusedByBackendThatPublishesPortsAndDoesNotReportTheirConnections() throws Exception {
        install(Publishes.class, NeverChosen.class);
        ExecutorOptions observed = OPTIONS.onRelayedConnection(seen -> {});
        assertThat(ExecutorProviders.open("harbour", OPTIONS).name())
                .as("control: without an observer")
                .isEqualTo("made by harbour");
        assertThat(ExecutorProviders.open("zoo", observed).name())
                .as("control: a backend that publishes no ports")
                .isEqualTo("made by zoo");
        assertThatThrownBy(() -> ExecutorProviders.open("harbour", observed))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the harbour backend reports no connections");
    }

    @Test
    void inOpenNetworkOnlyObserverOfWhatIsRelayedIsTaken() {
        assertThatThrownBy(() -> OPTIONS.onConnection(seen -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onRelayedConnection");
        assertThat(OPTIONS.onRelayedConnection(seen -> {}).connections()).isPresent();
    }

    @Test
    void eachObserverReceivesConnection() {
        List<String> seen = new ArrayList<>();
        ExecutorOptions.of(POLICY.toBuilder()
                        .network(NetworkPolicy.allow("example.org"))
                        .build())
                .onConnection(one -> seen.add("first " + one.host()))
                .onConnection(one -> seen.add("second " + one.host()))
                .connections()
                .orElseThrow()
                .accept(new HostConnection(
                        "example.org",
                        OptionalInt.of(443),
                        true,
                        Optional.empty(),
                        1,
                        2,
                        Instant.EPOCH,
                        Duration.ZERO));
        assertThat(seen).containsExactly("first example.org", "second example.org");
    }

    private static String firstOf(String names, Map<String, String> settings) {
        return ExecutorProviders.open(names, OPTIONS.settings(settings)).name();
    }

    @Test
    void ofSeveralNamesFirstUsableOneIsTaken() throws Exception {
        install(First.class, Second.class, Broken.class, AlsoBroken.class, NeverChosen.class);
        assertThat(firstOf("broken,second,first", Map.of())).isEqualTo("made by second");
        assertThat(firstOf("zoo, first", Map.of())).isEqualTo("made by zoo");
        assertThat(ExecutorProviders.choose("broken,second", Map.of()).name()).isEqualTo("second");
        assertThatThrownBy(() -> firstOf("also broken,broken", Map.of()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("also broken: it is broken (Mend it.); broken: it is broken (Mend it.)");
        assertThatThrownBy(() -> firstOf("broken,third", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'third'");
    }

    @Test
    void ofSeveralBackendsEachReceivesItsOwnSettings() throws Exception {
        install(Picky.class, OnlyWithImage.class, Broken.class);
        Map<String, String> settings = Map.of("image", "x", "colour", "red");
        assertThat(firstOf("broken,picky,image", settings)).isEqualTo("made by picky");
        assertThat(Picky.received).isEqualTo(Map.of("colour", "red"));
        assertThatThrownBy(() -> firstOf("picky,picky", settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none of the backends picky,picky has the setting 'image'");
    }

    private static String among(ExecutorProvider... candidates) {
        return ExecutorProviders.auto(List.of(candidates), OPTIONS).name();
    }

    @Test
    void ofGivenCandidatesUsableOneOfBestPriorityIsTakenAndOnesWithoutComeLast() throws Exception {
        install(First.class);
        assertThat(among(new Second(), new NeverChosen(), new Broken())).isEqualTo("made by second");
        assertThat(among(new NeverChosen(), new Broken())).isEqualTo("made by zoo");
        assertThat(among(new NeverChosen())).isEqualTo("made by zoo");
        assertThatThrownBy(ExecutorProvidersTest::among).hasMessageContaining("no sandbox backend is installed");
    }

    /** A machine that is busy gets the sandbox that it gets when it is idle. */
    @Test
    void slowBackendIsGivenMoreTimeAndTaken() {
        assertThat(among(new Slow(), new Second())).isEqualTo("made by slow");
    }

    /** Nothing weaker could take its place, so that a silent engine is reported at once. */
    @Test
    void onlyBackendIsProbedOnce() throws Exception {
        install(Slow.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessage("slow is not available: it did not answer. Wait.");
        install(Slow.class, Second.class);
        assertThat(ExecutorProviders.auto(POLICY, Map.of()).name())
                .as("one of two is given more time")
                .isEqualTo("made by slow");
    }

    @Test
    void inPlaceOfBackendThatDoesNotAnswerNoWeakerOneIsTaken() {
        assertThatThrownBy(() -> among(new Silent(), new Second()))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.isTransient()).isTrue();
                    assertThat(thrown)
                            .hasMessageContaining("whether silent can be used could not be found out")
                            .hasMessageContaining("had 30 s: its engine is silent; no weaker sandbox is taken")
                            .hasMessageContaining("name the executor")
                            .hasMessageContaining("Restart it.");
                });
        assertThat(among(new Second(), new NeverChosen())).isEqualTo("made by second");
    }

    /** A stopped engine is a definite answer, and starts no longer probe. */
    @Test
    void inPlaceOfEngineThatIsDownNextBackendIsTaken() {
        assertThat(among(new Down(), new Second())).isEqualTo("made by second");
        assertThatThrownBy(() -> among(new Down(), new Broken()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("down: its engine is down (Start it.)");
    }

    @Test
    void weakerBackendThanStrongestIsAnnouncedOnce() {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(ExecutorProviders.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getLevel() + " " + entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            assertThat(among(new Fallback(), new Broken())).isEqualTo("made by fallback");
            assertThat(among(new Fallback(), new Broken())).isEqualTo("made by fallback");
            assertThat(among(new Fallback(), new NeverChosen())).isEqualTo("made by fallback");
        } finally {
            log.removeHandler(handler);
        }
        assertThat(logged)
                .containsExactly("WARNING Commands run in fallback, since a preferred sandbox cannot be used here:"
                        + " broken: it is broken (Mend it.). To choose fallback without this message, name it as the"
                        + " executor.");
    }

    /** A later executor of the same backend, which its user names, is in nothing's place. */
    @Test
    void onlyExecutorInPlaceOfPreferredOneSaysWhy() throws Exception {
        install(Broken.class, First.class, Second.class);
        CommandExecutor fallback = ExecutorProviders.open("broken,first", OPTIONS);
        assertThat(new ForwardingExecutor(fallback) {}.fallback())
                .hasValue("Commands run in first, since a preferred sandbox cannot be used here: broken: it is broken"
                        + " (Mend it.).");
        assertThat(ExecutorProviders.open("first", OPTIONS).fallback()).isEmpty();
        assertThat(ExecutorProviders.open("second,first", OPTIONS).fallback()).isEmpty();
    }

    @Test
    void choiceAmongRefusalsIsNotTransient() {
        assertThatThrownBy(() -> among(new Broken(), new AlsoBroken()))
                .isInstanceOfSatisfying(
                        SandboxUnavailableException.class,
                        thrown -> assertThat(thrown.isTransient()).isFalse());
    }

    @Test
    void settingsMayMakeBackendEligible() throws Exception {
        install(OnlyWithImage.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(SandboxUnavailableException.class);
        assertThat(ExecutorProviders.auto(POLICY, Map.of("image", "x")).name()).isEqualTo("made by image");
    }

    /** A backend that is usable and has a priority. */
    abstract static class Stub implements ExecutorProvider, BackendUpkeep {
        private final String name;
        private final OptionalInt priority;

        Stub(String name, OptionalInt priority) {
            this.name = name;
            this.priority = priority;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Availability probe() {
            return new Availability.Usable(name, Set.of());
        }

        @Override
        public OptionalInt autoPriority(Map<String, String> settings) {
            return priority;
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return new CommandExecutor() {
                @Override
                public ProcessLike spawn(String command, SpawnOptions options) {
                    throw new SpawnException("a stub runs nothing");
                }

                @Override
                public String name() {
                    return "made by " + name;
                }
            };
        }
    }

    /** Claims to publish ports, and reports no connections. */
    public static final class Publishes extends Stub {
        /** Called by the service loader. */
        public Publishes() {
            super("harbour", OptionalInt.empty());
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return new ForwardingExecutor(super.create(policy, settings)) {
                @Override
                public Set<Guarantee> guarantees() {
                    return Set.of(Guarantee.PUBLISHED_PORTS);
                }
            };
        }
    }

    /** Cannot tell its guarantees. */
    public static final class Speechless extends Stub {
        private static int disposed;

        /** Called by the service loader. */
        public Speechless() {
            super("speechless", OptionalInt.of(1));
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return new ForwardingExecutor(super.create(policy, settings)) {
                @Override
                public Set<Guarantee> guarantees() {
                    throw new SandboxLostException("speechless", "its engine is gone");
                }

                @Override
                public void dispose() {
                    disposed++;
                }
            };
        }
    }

    /** The backend with the best priority. */
    public static final class First extends Stub {
        /** Called by the service loader. */
        public First() {
            super("first", OptionalInt.of(10));
        }
    }

    /** Another backend of the same name. */
    public static final class AlsoFirst extends Stub {
        /** Called by the service loader. */
        public AlsoFirst() {
            super("first", OptionalInt.of(11));
        }
    }

    /** The backend with the second-best priority. */
    public static final class Second extends Stub {
        /** Called by the service loader. */
        public Second() {
            super("second", OptionalInt.of(20));
        }
    }

    /** A backend of a low priority that guarantees something. */
    public static final class Guarantees extends Stub {
        private static int closed;

        /** Called by the service loader. */
        public Guarantees() {
            super("guarantees", OptionalInt.of(30));
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            CommandExecutor plain = super.create(policy, settings);
            return new CommandExecutor() {
                @Override
                public ProcessLike spawn(String command, SpawnOptions options) {
                    return plain.spawn(command, options);
                }

                @Override
                public String name() {
                    return plain.name();
                }

                @Override
                public Set<Guarantee> guarantees() {
                    return Set.of(Guarantee.TREE_KILL);
                }

                @Override
                public void close() {
                    closed++;
                }
            };
        }
    }

    /** A usable backend that {@code auto} never chooses, like the host. */
    public static final class NeverChosen extends Stub {
        /** Called by the service loader. */
        public NeverChosen() {
            super("zoo", OptionalInt.empty());
        }
    }

    @Test
    void probeWithPolicyRunsCommandUnderIt() {
        SandboxPolicy existing = SandboxPolicy.unconfined(PathMapping.same(directory));
        assertThat(new RunsOnHost().probe(existing, Map.of())).isEqualTo(new Availability.Usable("runs", Set.of()));
        assertThat(new Refuses().probe(POLICY, Map.of()))
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).isEqualTo("anything"));
    }

    /** A backend that runs commands. */
    static final class RunsOnHost extends Stub {
        RunsOnHost() {
            super("runs", OptionalInt.empty());
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            return (command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", command), options);
        }
    }

    /** A backend with the best priority that cannot be used. */
    public static final class Broken extends Stub {
        /** Called by the service loader. */
        public Broken() {
            super("broken", OptionalInt.of(1));
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("it is broken", "Mend it.");
        }
    }

    /** Another unusable backend. */
    public static final class AlsoBroken extends Stub {
        /** Called by the service loader. */
        public AlsoBroken() {
            super("also broken", OptionalInt.of(2));
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("it is broken", "Mend it.");
        }
    }

    /** A backend with a setting of its own. */
    public static final class Picky extends Stub {
        private static Map<String, String> received = Map.of();

        /** Called by the service loader. */
        public Picky() {
            super("picky", OptionalInt.of(3));
        }

        @Override
        public boolean hasSetting(String setting) {
            return setting.equals("colour");
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            received = settings;
            return super.create(policy, settings);
        }
    }

    /** A backend that answers only if it has time. */
    public static final class Slow extends Stub {
        /** Called by the service loader. */
        public Slow() {
            super("slow", OptionalInt.of(4));
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("it did not answer", "Wait.", Availability.Outlook.UNDECIDED);
        }

        @Override
        public Availability probe(Map<String, String> settings, Duration bound) {
            return bound.toSeconds() > 5 ? new Availability.Usable(name(), Set.of()) : probe();
        }
    }

    /** A usable backend that no other test has chosen. */
    static final class Fallback extends Stub {
        Fallback() {
            super("fallback", OptionalInt.of(50));
        }
    }

    /** A backend whose engine is down. */
    static final class Down extends Stub {
        Down() {
            super("down", OptionalInt.of(3));
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("its engine is down", "Start it.", true);
        }

        @Override
        public Availability probe(Map<String, String> settings, Duration bound) {
            assertThat(bound.toSeconds()).as("its first answer was definite").isEqualTo(5);
            return probe();
        }
    }

    /** A backend whose engine does not answer, however long it is given. */
    static final class Silent extends Stub {
        Silent() {
            super("silent", OptionalInt.of(3));
        }

        @Override
        public Availability probe() {
            return new Availability.Unusable("its engine is silent", "Restart it.", Availability.Outlook.UNDECIDED);
        }
    }

    /** A backend that cannot enforce any policy. */
    public static final class Refuses extends Stub {
        /** Called by the service loader. */
        public Refuses() {
            super("refuses", OptionalInt.of(1));
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            throw new UnsupportedPolicyException(name(), List.of("anything"));
        }
    }

    /** A backend that is eligible if the settings name an image. */
    public static final class OnlyWithImage extends Stub {
        /** Called by the service loader. */
        public OnlyWithImage() {
            super("image", OptionalInt.empty());
        }

        @Override
        public OptionalInt autoPriority(Map<String, String> settings) {
            return settings.containsKey("image") ? OptionalInt.of(30) : OptionalInt.empty();
        }
    }

    /** A backend that fails to load. */
    public static final class ThrowsWhenMade extends Stub {
        /** Called by the service loader. */
        public ThrowsWhenMade() {
            super("throws", OptionalInt.of(1));
            throw new IllegalStateException("expected by the test");
        }
    }

    /** Fails in its preparation, before {@link Preloaded} is reached. */
    public static final class ThrowsWhenPreloaded extends Stub {
        /** Called by the service loader. */
        public ThrowsWhenPreloaded() {
            super("throws", OptionalInt.empty());
        }

        @Override
        public void preload() {
            throw new IllegalStateException("not now");
        }
    }

    /** Tells that it was prepared. */
    public static final class Preloaded extends Stub {
        private static boolean loaded;

        /** Called by the service loader. */
        public Preloaded() {
            super("preloaded", OptionalInt.empty());
        }

        @Override
        public void preload() {
            loaded = true;
        }
    }
}
