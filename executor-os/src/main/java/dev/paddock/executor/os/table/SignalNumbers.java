package dev.paddock.executor.os.table;

import dev.paddock.executor.Signal;
import dev.paddock.executor.os.posix.LibC;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Converts between Linux's signal numbers, which the API uses, and those of this platform.
 *
 * @since 0.1
 */
public final class SignalNumbers {
    /**
     * The signals whose numbers differ on macOS: BUS, USR1, USR2, CHLD, CONT, STOP, TSTP, URG, IO,
     * SYS.
     */
    private static final Map<Integer, Integer> TO_MAC =
            Map.of(7, 10, 10, 30, 12, 31, 17, 20, 18, 19, 19, 17, 20, 18, 23, 16, 29, 23, 31, 12);

    private static final Map<Integer, Integer> FROM_MAC =
            TO_MAC.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    private SignalNumbers() {}

    public static int toPlatform(Signal signal) {
        return LibC.isMac() ? TO_MAC.getOrDefault(signal.number(), signal.number()) : signal.number();
    }

    public static Signal fromPlatform(int number) {
        return new Signal(LibC.isMac() ? FROM_MAC.getOrDefault(number, number) : number);
    }
}
