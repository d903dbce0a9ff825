package dev.paddock.executor.process.launch;

/**
 * The file behind one of a process's descriptors at its start.
 *
 * @since 0.1
 */
public sealed interface ChildDescriptor {

    /** A pipe that the process reads and the JVM writes: {@link ChildProcess#to}. */
    record Reads() implements ChildDescriptor {}

    /**
     * A pipe that the process writes and the JVM reads: {@link ChildProcess#from}.
     *
     * @param answer whether a start waits for a short answer on this pipe: a wake-up by another thread would add a
     *     tenth of a millisecond
     */
    record Writes(boolean answer) implements ChildDescriptor {

        /** Creates a pipe that may be silent for any time. */
        public Writes() {
            this(false);
        }
    }

    /**
     * An anonymous file to read from its start. Linux.
     *
     * @param bytes its content; must not be changed afterwards
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared; read once, so not copied
    record Content(byte[] bytes) implements ChildDescriptor {}

    /**
     * An open descriptor of the JVM. It stays open there, and the caller still owns it.
     *
     * @param number its number in the JVM
     */
    record Ours(int number) implements ChildDescriptor {}
}
