package dev.paddock.executor.process.launch;

/** What a process that is being started finds at one of its descriptors. */
public sealed interface ChildDescriptor {

    /** A pipe that it reads and we write: {@link ChildProcess#to}. */
    record Reads() implements ChildDescriptor {}

    /**
     * A pipe that it writes and we read: {@link ChildProcess#from}.
     *
     * @param answer whether a start waits for what is written there, and not for long: to be woken by way of another thread would
     *     cost it a tenth of a millisecond
     */
    record Writes(boolean answer) implements ChildDescriptor {

        /** A pipe that may be silent for as long as it likes. */
        public Writes() {
            this(false);
        }
    }

    /**
     * An anonymous file to read from its start. Linux.
     *
     * @param bytes its content; not to be changed afterwards
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared; copying a program that is read once buys nothing
    record Content(byte[] bytes) implements ChildDescriptor {}

    /**
     * A descriptor that this process has open. It stays open here and the caller's.
     *
     * @param number its number in this process
     */
    record Ours(int number) implements ChildDescriptor {}
}
