package dev.paddock.executor.process.launch;

/**
 * The file that a process finds at one of its descriptors when it starts.
 *
 * @since 0.1
 */
public sealed interface ChildDescriptor {

    /** A pipe that the process reads and the JVM writes: {@link ChildProcess#to}. */
    record Reads() implements ChildDescriptor {}

    /**
     * A pipe that the process writes and the JVM reads: {@link ChildProcess#from}.
     *
     * @param answer whether a start waits for a short answer on this pipe: being woken by another
     *     thread would cost it a tenth of a millisecond
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
    @SuppressWarnings("ArrayRecordComponent") // never compared; copying a program that is read once buys nothing
    record Content(byte[] bytes) implements ChildDescriptor {}

    /**
     * A descriptor that the JVM has open. It stays open in the JVM, and the caller still owns it.
     *
     * @param number its number in the JVM
     */
    record Ours(int number) implements ChildDescriptor {}
}
