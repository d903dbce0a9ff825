package dev.paddock.cli.editor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The pending questions at the terminal, in order. Thread-safe. */
final class Questions {
    private final List<Question> waiting = new ArrayList<>();

    /** A question; the first answer counts. */
    static final class Question {
        private final String prompt;
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile String answer = "";

        private Question(String prompt) {
            this.prompt = prompt;
        }

        String prompt() {
            return prompt;
        }

        void answer(String text) {
            answer = text;
            answered.countDown();
        }

        String await() throws InterruptedException {
            answered.await();
            return answer;
        }
    }

    synchronized Question add(String prompt) {
        Question question = new Question(prompt);
        waiting.add(question);
        return question;
    }

    /** Returns the first question without an answer. */
    synchronized Optional<Question> first() {
        return waiting.stream()
                .filter(question -> question.answered.getCount() > 0)
                .findFirst();
    }

    synchronized void remove(Question question) {
        waiting.remove(question);
    }
}
