package dev.paddock.executor.tck;

import dev.paddock.executor.tck.clauses.AbortContract;
import dev.paddock.executor.tck.clauses.AvailabilityContract;
import dev.paddock.executor.tck.clauses.CloseContract;
import dev.paddock.executor.tck.clauses.CommandContract;
import dev.paddock.executor.tck.clauses.ConcurrencyContract;
import dev.paddock.executor.tck.clauses.DeathContract;
import dev.paddock.executor.tck.clauses.DisposeContract;
import dev.paddock.executor.tck.clauses.EnvironmentContract;
import dev.paddock.executor.tck.clauses.ExitContract;
import dev.paddock.executor.tck.clauses.IdleContract;
import dev.paddock.executor.tck.clauses.KillContract;
import dev.paddock.executor.tck.clauses.LeftoverContract;
import dev.paddock.executor.tck.clauses.RunContract;
import dev.paddock.executor.tck.clauses.SpawnContract;
import dev.paddock.executor.tck.clauses.StateContract;
import dev.paddock.executor.tck.clauses.StreamContract;
import dev.paddock.executor.tck.clauses.TerminalContract;
import dev.paddock.executor.tck.guarantees.AllowedHostsContract;
import dev.paddock.executor.tck.guarantees.AllowedHostsFaultsContract;
import dev.paddock.executor.tck.guarantees.AllowedHostsTlsContract;
import dev.paddock.executor.tck.guarantees.ConfinementContract;
import dev.paddock.executor.tck.guarantees.LoopbackPortContract;
import dev.paddock.executor.tck.guarantees.NetworkContract;
import dev.paddock.executor.tck.guarantees.PolicyContract;
import dev.paddock.executor.tck.guarantees.PublishedPortContract;
import dev.paddock.executor.tck.guarantees.SettlementContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of a {@link dev.paddock.executor.CommandExecutor}, clause by clause. An implementer
 * extends this class and implements one method:
 *
 * <pre>{@code
 * class MyExecutorContractTest extends CommandExecutorContract {
 *     @Override
 *     protected ContractSubject subject(ContractEnvironment environment) {
 *         return ContractSubject.of(new MyExecutor(), PathMapping.same(environment.sharedDirectory()));
 *     }
 * }
 * }</pre>
 *
 * <p>Test names start with the clause that they prove, {@code C1} to {@code C20}, or with {@code G}
 * for a {@linkplain dev.paddock.executor.Guarantee guarantee}. "Passes the contract" means every
 * clause, and every guarantee claimed; tests of a guarantee are skipped if it is not claimed, and
 * so are tests that need a program missing on the executor's side. A skipped test names the reason,
 * which {@link ContractSubject#withOnSkipped} also receives.
 *
 * <p>The suite needs a POSIX shell on the command's side and a host with {@code mkfifo}. Some tests
 * read {@code /proc} and are skipped where it does not exist.
 *
 * <p>C12 kills a JVM: the suite starts one with this JVM's class path, which creates an instance of
 * the implementer's class by its constructor without parameters and calls {@link #subject}. System
 * properties whose names start with {@code paddock.} are passed on to it.
 *
 * @since 0.1
 */
@Tag("contract")
@ExtendWith(ContractExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(ByClause.class)
@DisplayNameGeneration(ClauseNames.class)
@SuppressWarnings("exports") // how the suite runs does not concern implementers
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class CommandExecutorContract
        implements SpawnContract,
                CommandContract,
                EnvironmentContract,
                StreamContract,
                ExitContract,
                LeftoverContract,
                KillContract,
                AbortContract,
                DisposeContract,
                DeathContract,
                ConcurrencyContract,
                AvailabilityContract,
                StateContract,
                IdleContract,
                CloseContract,
                RunContract,
                TerminalContract,
                ConfinementContract,
                NetworkContract,
                AllowedHostsContract,
                AllowedHostsFaultsContract,
                AllowedHostsTlsContract,
                LoopbackPortContract,
                PublishedPortContract,
                PolicyContract,
                SettlementContract {

    /** Called by the implementer's class. */
    protected CommandExecutorContract() {}

    /**
     * Creates a new executor. Called once for the executor that most tests share, and again for each
     * test that needs its own.
     *
     * @param environment provides the directories that the executor must share
     * @return the executor and its properties that the suite needs
     * @throws Exception if it cannot be made; the test fails with it
     */
    protected abstract ContractSubject subject(ContractEnvironment environment) throws Exception;
}
