package dev.paddock.cli.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The lines of pages that install a release. */
final class ReleasePages {
    /** Matches a block of a page for a shell. */
    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

    private static final Pattern ARCHIVE = Pattern.compile("paddock-(.*)-(linux-[a-z0-9]+)\\.tar\\.gz");

    /** A form of a release, and with what its block in getting-started.md begins. */
    enum Form {
        ARCHIVE("tar "),
        PACKAGE("sudo apt "),
        IMAGE("docker load "),
        NPM("npx ");

        private final String begin;

        Form(String begin) {
            this.begin = begin;
        }
    }

    private ReleasePages() {}

    /** Returns the blocks of a page, with the version and the platform that the archive's name states. */
    static List<String> blocks(String page, Path archive) throws IOException {
        String name = archive.getFileName().toString();
        String version = ARCHIVE.matcher(name).replaceFirst("$1");
        String platform = ARCHIVE.matcher(name).replaceFirst("$2");
        return SHELL.matcher(Files.readString(Path.of("..").resolve(page)))
                .results()
                .map(block -> block.group(1).replace("linux-x64", platform).replace("VERSION", version))
                .toList();
    }

    /** Returns the lines of getting-started.md that install a form, or start it. */
    static String installation(Form form, Path archive) throws IOException {
        return blocks("docs/getting-started.md", archive).stream()
                .filter(block -> block.startsWith(form.begin))
                .findFirst()
                .orElseThrow();
    }
}
