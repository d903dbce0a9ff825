package dev.paddock.journeys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A project of a few files in each ecosystem, with a dependency, and how its user builds it first. */
enum FirstProject {
    MAVEN("mvn", "--network=open", "mvn -q -B package && test -s target/a-1.jar"),
    GRADLE("gradle", "--network=open", "gradle -q --no-daemon build && test -s build/libs/project.jar"),
    NPM("npm", "--network=open", "npm install --no-audit --no-fund && npm test"),
    PYTHON(
            "python3",
            "",
            "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/python -m unittest"),
    GO("go", "", "go test ./... && go build -o hello . && ./hello"),
    RUST("/usr/bin/cargo", "", "cargo test && cargo run");

    private static final String JAVA = "class A { @org.jspecify.annotations.Nullable String a; }\n";

    /** The certificates of the machine, some of which may be its own; npm brings others. */
    private static final Path CERTIFICATES = Path.of("/etc/ssl/certs/ca-certificates.crt");

    private final String program;
    private final String option;
    private final String build;

    FirstProject(String program, String option, String build) {
        this.program = program;
        this.option = option;
        this.build = build;
    }

    /** Returns the script that builds and tests the project. */
    String build() {
        return build;
    }

    /** Returns the options of paddock that the build takes, one at most. */
    String[] options() {
        return option.isEmpty() ? new String[0] : new String[] {option};
    }

    /**
     * Makes the project, and a home for its user. Skips the test where the ecosystem's program is missing.
     *
     * @param root an empty directory, by its real path
     * @return the user in the project
     */
    Paddock create(Path root) throws IOException {
        Programs.require(program);
        Path project = Files.createDirectory(root.resolve("project"));
        for (Map.Entry<String, String> file : files().entrySet()) {
            Path path = project.resolve(file.getKey());
            Files.createDirectories(path.resolveSibling(""));
            Files.writeString(path, file.getValue());
        }
        if (this == PYTHON) {
            FirstCommandsTest.createWheel(Files.createDirectory(project.resolve("wheels")));
        }
        if (this == NPM && Files.exists(CERTIFICATES)) {
            Files.writeString(project.resolve(".npmrc"), "cafile=" + CERTIFICATES + "\n");
        }
        Paddock user =
                Paddock.in(project, Files.createDirectory(root.resolve("home"))).withDebiansJava();
        // The programs of rustup need the home that has its toolchains.
        return this == RUST ? user.env("PATH", Programs.SYSTEM) : user;
    }

    private Map<String, String> files() {
        return switch (this) {
            case MAVEN -> Map.of("src/main/java/A.java", JAVA, "pom.xml", """
                    <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
                    <groupId>g</groupId><artifactId>a</artifactId><version>1</version>
                    <properties>
                      <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
                      <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                    </properties>
                    <dependencies><dependency>
                      <groupId>org.jspecify</groupId><artifactId>jspecify</artifactId><version>1.0.0</version>
                    </dependency></dependencies></project>
                    """);
            case GRADLE -> Map.of("src/main/java/A.java", JAVA, "build.gradle", """
                    apply plugin: 'java'
                    repositories { mavenCentral() }
                    dependencies { implementation 'org.jspecify:jspecify:1.0.0' }
                    """);
            case NPM -> Map.of("package.json", """
                    {"name": "hello", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"},
                     "scripts": {"test": "node -e 'require(\\"left-pad\\")'"}}
                    """);
            case PYTHON -> Map.of("requirements.txt", "./wheels/greeting-1.0-py3-none-any.whl\n", "test_it.py", """
                    import greeting, unittest
                    class It(unittest.TestCase):
                        def test_it(self): pass
                    """);
            case GO ->
                Map.of(
                        "greeting/go.mod",
                        "module example.org/greeting\n\ngo 1.19\n",
                        "greeting/greeting.go",
                        """
                    package greeting

                    func Text() string { return "hello" }
                    """,
                        "go.mod",
                        """
                    module example.org/hello

                    go 1.19

                    require example.org/greeting v1.0.0

                    replace example.org/greeting => ./greeting
                    """,
                        "hello.go",
                        """
                    package main

                    import "example.org/greeting"

                    func main() { println(greeting.Text()) }
                    """,
                        "hello_test.go",
                        """
                    package main

                    import "testing"

                    func TestIt(t *testing.T) { main() }
                    """);
            case RUST ->
                Map.of(
                        "greeting/Cargo.toml",
                        """
                    [package]
                    name = "greeting"
                    version = "1.0.0"
                    edition = "2021"
                    """,
                        "greeting/src/lib.rs",
                        "pub fn text() -> &'static str { \"hello\" }\n",
                        "Cargo.toml",
                        """
                    [package]
                    name = "hello"
                    version = "1.0.0"
                    edition = "2021"
                    [dependencies]
                    greeting = { path = "greeting" }
                    """,
                        "src/main.rs",
                        """
                    fn main() { println!("{}", greeting::text()); }
                    #[test]
                    fn it() { assert_eq!(greeting::text(), "hello"); }
                    """);
        };
    }
}
