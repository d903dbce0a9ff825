package dev.paddock.executor.docker.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the mounts of a container say about the directories that its engine would mount. */
class OwnContainerTest {
    private static final String ID = "0123456789abcdef".repeat(4);

    private static final String MOUNTS = """
            [{"Type": "bind", "Source": "/var/run/docker.sock", "Destination": "/var/run/docker.sock"},
             {"Type": "bind", "Source": "/home/me/shop", "Destination": "/work"},
             {"Type": "bind", "Source": "/home/me/same", "Destination": "/home/me/same"},
             {"Type": "volume", "Source": "/var/lib/docker/volumes/v/_data", "Destination": "/work/deep"},
             {"Type": "tmpfs", "Source": "", "Destination": "/work/deep/memory"}]
            """;

    private static JsonNode mounts() throws Exception {
        return new ObjectMapper().readTree(MOUNTS);
    }

    @ParameterizedTest
    @CsvSource({
        "/work, /home/me/shop",
        "/work/part, /home/me/shop/part",
        "/work/deep/x, /var/lib/docker/volumes/v/_data/x",
    })
    void anotherPathOfMachineIsNamedWithOptionThatHelps(String directory, String there) throws Exception {
        assertThat(OwnContainer.mismatch(mounts(), Path.of(directory)).orElseThrow())
                .contains(
                        "'" + directory + "' is '" + there + "' on the engine's machine", "-v '" + there + ":" + there);
    }

    @Test
    void sameDirectoryIsNoMismatch() throws Exception {
        assertThat(OwnContainer.mismatch(mounts(), Path.of("/home/me/same/part")))
                .isEmpty();
    }

    @Test
    void directoryOfContainersOwnIsNoneOfMachine() throws Exception {
        assertThat(OwnContainer.mismatch(mounts(), Path.of("/workshop")).orElseThrow())
                .contains("is a directory of the container that runs Paddock", "-v DIR:DIR");
    }

    /** A machine shows the mounts of all its containers. */
    @Test
    void idIsEmptyOutsideContainer() {
        String own = "910 800 8:1 /var/lib/docker/containers/" + ID + "/hostname /etc/hostname rw - ext4 /dev/vda rw";
        String podman = "910 800 0:25 /containers/overlay-containers/" + ID
                + "/userdata/hostname /etc/hostname rw - tmpfs" + " tmpfs rw";
        String machine = "300 30 0:50 / /var/lib/docker/containers/" + ID + "/mounts/shm rw - tmpfs shm rw";
        assertThat(OwnContainer.id(machine.lines())).isEmpty();
        assertThat(OwnContainer.id((machine + "\n" + own).lines())).hasValue(ID);
        assertThat(OwnContainer.id(podman.lines())).hasValue(ID);
    }
}
