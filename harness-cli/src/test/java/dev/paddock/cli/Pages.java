package dev.paddock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What the tests of the pages take from them, and what the pages presume. */
final class Pages {
    private Pages() {}

    /** Returns the blocks of pages in a language, such as {@code sh}. */
    static List<String> blocks(String language, List<Path> pages) throws IOException {
        Pattern block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$");
        List<String> found = new ArrayList<>();
        for (Path page : pages) {
            block.matcher(Files.readString(page))
                    .results()
                    .map((MatchResult one) -> one.group(1))
                    .forEach(found::add);
        }
        return found;
    }

    /** Returns a new home directory with what the pages mount from it. */
    static Path makeHome(Path parent) throws IOException {
        Path home = parent.resolve("home");
        for (String name : List.of(".m2", ".cache/pip", ".nvm/bin", ".ssh")) {
            Files.createDirectories(home.resolve(name));
        }
        Files.writeString(home.resolve(".ssh/id_rsa"), "a private key");
        Files.createFile(home.resolve(".ssh/known_hosts"));
        return home;
    }
}
