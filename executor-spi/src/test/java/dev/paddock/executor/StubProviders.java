package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.BackendUpkeep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Backends that answer as the tests of their choice need it. Java's service loader makes the public ones. */
final class StubProviders {
    private StubProviders() {}

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
        static int disposed;

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
        static int closed;

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
        static Map<String, String> received = Map.of();

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
        static boolean loaded;

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
