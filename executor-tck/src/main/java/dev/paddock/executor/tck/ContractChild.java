package dev.paddock.executor.tck;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.List;

/**
 * The program of the JVM that C12 kills: creates an executor with the implementer's factory, spawns
 * commands, and waits. Exits when the JVM that started it does.
 */
final class ContractChild {
    private ContractChild() {}

    /**
     * Spawns the commands and waits.
     *
     * @param args the implementer's class, the shared directory, the kept directory, the commands'
     *     directory, their tag, the commands
     * @throws Exception if something fails; the parent JVM reports the stack trace
     */
    public static void main(String[] args) throws Exception {
        List<String> arguments = List.of(args);
        Constructor<?> constructor = Class.forName(arguments.get(0)).getDeclaredConstructor();
        constructor.setAccessible(true);
        CommandExecutorContract implementer = (CommandExecutorContract) constructor.newInstance();
        CommandExecutor executor = implementer
                .subject(ContractEnvironment.of(Path.of(arguments.get(1)), Path.of(arguments.get(2))))
                .executor();
        SpawnOptions options = SpawnOptions.builder(arguments.get(3))
                .env(ContractContext.TAG, arguments.get(4))
                .build();
        for (String command : arguments.subList(5, arguments.size())) {
            executor.spawn(command, options);
        }
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0);
    }
}
