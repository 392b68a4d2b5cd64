/* What the code under test prints: kept between COVENANT_CAPTURE and COVENANT_RELEASE. */
#ifndef COVENANT_OUTPUT_H
#define COVENANT_OUTPUT_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct covenant_output {
    int from, back;
    char text[8192];
};

static struct covenant_output covenant_outputs[2] = { { -1, -1, "" }, { -1, -1, "" } };

static void covenant_capture(void)
{
    int stream, ends[2];
    fflush(NULL);
    for (stream = 1; stream <= 2; stream++) {
        struct covenant_output *output = &covenant_outputs[stream - 1];
        output->from = -1;
        if (pipe(ends) != 0) {
            continue;
        }
        /* Who writes too much is not kept waiting. */
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        output->back = dup(stream);
        if (output->back >= 0 && dup2(ends[1], stream) == stream) {
            output->from = ends[0];
        }
        close(ends[1]);
    }
}

static void covenant_release(void)
{
    int stream;
    fflush(NULL);
    for (stream = 1; stream <= 2; stream++) {
        struct covenant_output *output = &covenant_outputs[stream - 1];
        size_t length = 0;
        ssize_t done;
        if (output->from < 0) {
            continue;
        }
        dup2(output->back, stream);
        close(output->back);
        while ((done = read(output->from, output->text + length, sizeof output->text - 1 - length)) > 0) {
            length += (size_t)done;
        }
        output->text[length] = '\0';
        close(output->from);
    }
}

#define COVENANT_CAPTURE() covenant_capture()
#define COVENANT_RELEASE() covenant_release()
#define EXPECT_PRINTED(stream, what, expected) \
    COVENANT_HOLDS(covenant_outputs[stream - 1].from < 0 \
                   || covenant_same_text(what, covenant_outputs[stream - 1].text, expected))
#define EXPECT_STDOUT(expected) EXPECT_PRINTED(1, "stdout", expected)
#define EXPECT_STDERR(expected) EXPECT_PRINTED(2, "stderr", expected)

#endif
