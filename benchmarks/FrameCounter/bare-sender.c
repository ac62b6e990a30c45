/* What the kernel takes to send an item to each of many connections, one after the other: the frames of a topic without a topic.

   gcc -O2 -o bare-sender bare-sender.c
   ./bare-sender CONNECTIONS ITEM PER_SECOND

   Prints the port at which it listens, and accepts so many connections. For each line of the standard input, a number of items, it sends these at the rate, and answers with its
   processor time per send in microseconds. A frame ends with ITEM bytes, which begin with the CLOCK_MONOTONIC nanoseconds of the beginning of the item's sends. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 8192, HEADER = 8, FIELD = 2 /* what a message puts before its bytes */, MOST_FRAME = 1024 };

static int handles[MOST_CONNECTIONS];

static int checked(int result, const char *what)
{
    if (result >= 0) return result;
    perror(what);
    exit(1);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void wait_until(int64_t due)
{
    struct timespec time = { .tv_sec = due / 1000000000LL, .tv_nsec = due % 1000000000LL };
    while (now() < due) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static double processor(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

int main(int count, char **arguments)
{
    int connections = count == 4 ? atoi(arguments[1]) : 0, item = count == 4 ? atoi(arguments[2]) : 0;
    if (connections < 1 || connections > MOST_CONNECTIONS || item < 8 || HEADER + FIELD + item > MOST_FRAME) return 2;
    int64_t interval = 1000000000LL / atoi(arguments[3]);
    int listener = checked(socket(AF_INET, SOCK_STREAM, 0), "socket"), on = 1;
    setsockopt(listener, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    checked(bind(listener, (struct sockaddr *)&address, size), "bind");
    checked(listen(listener, 1024), "listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (int i = 0; i < connections; i++)
    {
        handles[i] = checked(accept(listener, NULL, NULL), "accept");
        setsockopt(handles[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        checked(send(handles[i], "MUX1\r\n\x1a\n", 8, MSG_NOSIGNAL), "send");
    }

    /* An item of the first call of the connection. */
    unsigned char frame[MOST_FRAME] = { FIELD + item, 0, 0, 0x11, 1, 0, 0x10, 0, 0x0a, item };
    for (char line[64]; fgets(line, sizeof line, stdin) != NULL;)
    {
        int items = atoi(line);
        int64_t start = now();
        double before = processor();
        for (int i = 0; i < items; i++)
        {
            wait_until(start + i * interval);
            int64_t made = now();
            memcpy(frame + HEADER + FIELD, &made, sizeof made);
            for (int to = 0; to < connections; to++) checked(send(handles[to], frame, HEADER + FIELD + item, MSG_NOSIGNAL), "send");
        }

        printf("%.3f\n", (processor() - before) / items / connections);
        fflush(stdout);
    }

    return 0;
}
