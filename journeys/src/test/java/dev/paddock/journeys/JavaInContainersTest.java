package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program of Java's writes to its user's home, which is that of commands in a container, too. */
@EnabledOnOs(OS.LINUX)
class JavaInContainersTest {
    private static final String PROGRAM = """
            import java.nio.file.*;
            class Home {
                public static void main(String[] none) throws Exception {
                    Path home = Path.of(System.getProperty("user.home"));
                    Files.writeString(Files.createDirectory(home.resolve(".tool")).resolve("file"), "");
                    System.out.println(System.getProperty("user.name") + " " + home);
                }
            }
            """;

    @TempDir
    private Path root;

    /** Commands run as the worktree's owner, whom the image may know or not. */
    @ParameterizedTest
    @CsvSource({"0, root", "54322, paddock"})
    void javaWritesToHomeOfCommands(int owner, String name) throws Exception {
        OrdinaryUser.requireRoot("only root can give a file to another user");
        Engine.requireDebian();
        Path real = root.toRealPath();
        Path project = Files.createDirectory(real.resolve("project"));
        Paddock paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Files.writeString(project.resolve("Home.java"), PROGRAM);
        paddock.host("'" + System.getProperty("java.home") + "/bin/javac' Home.java && chown -R " + owner + " .");

        Paddock.Result result = paddock.script(
                "docker",
                "/opt/jdk/bin/java Home && ls ~/.tool",
                "--image",
                Engine.DEBIAN,
                "--mount",
                System.getProperty("java.home") + ":/opt/jdk");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo(name + " /home/paddock\nfile\n");
        assertThat(result.stderr()).doesNotContain("Picked up");
    }
}
