/* The traffic of the yardstick without a call: two processes, epoll, frames of the same sizes made beforehand and counted, but neither read nor checked. What the kernel allows.

   gcc -O2 -o limit limit.c && ./limit CONNECTIONS IN_FLIGHT SECONDS     prints round trips per second after half a second of warm-up
                               ./limit bulk BYTES SECONDS                the same of one message that goes there and back whole, one at a time

   Closed loop over loopback with reno; both ends poll for 20 us before they sleep. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 23, REPLY = 61, MOST_CONNECTIONS = 1024, BATCH = 256 };
enum { RECEIVE_BUFFER = 1 << 17, SEND_BUFFER = (RECEIVE_BUFFER / REQUEST + 1) * REPLY };

static const double poll_seconds = 20e-6, warmup_seconds = 0.5;

static int handles[MOST_CONNECTIONS];
static int incomplete[MOST_CONNECTIONS]; /* bytes of a frame whose rest has not come */
static char received[RECEIVE_BUFFER], frames[SEND_BUFFER];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static int checked(int result, const char *what)
{
    if (result >= 0) return result;
    perror(what);
    exit(1);
}

/* In flight are fewer bytes than the buffers of a connection hold, so a send waits for nothing that waits for it. */
static void send_frames(int handle, long bytes)
{
    for (long sent = 0; sent < bytes;) sent += checked(send(handle, frames + sent, bytes - sent, MSG_NOSIGNAL), "send");
}

static void set_up(int handle)
{
    int on = 1;
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    checked(setsockopt(handle, IPPROTO_TCP, TCP_CONGESTION, "reno", 4), "reno");
}

/* Receives once and sends a frame for each whole one that came. Returns how many, or -1 at the end of the stream. */
static int take_turn(int index, int size, int answer_size)
{
    ssize_t count = recv(handles[index], received, sizeof received, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return 0;
    if (count <= 0) return -1;
    int whole = (incomplete[index] + count) / size;
    incomplete[index] = (incomplete[index] + count) % size;
    send_frames(handles[index], (long)whole * answer_size);
    return whole;
}

static int wait_ready(int epoll, struct epoll_event *ready)
{
    double start = now();
    do
    {
        int count = epoll_wait(epoll, ready, BATCH, 0);
        if (count > 0) return count;
    }
    while (now() - start < poll_seconds);
    return checked(epoll_wait(epoll, ready, BATCH, -1), "epoll_wait");
}

/* Answers until the stream ends or so many seconds have passed after the warm-up. Returns frames per second. */
static double run(int connections, int size, int answer_size, double seconds)
{
    int epoll = checked(epoll_create1(0), "epoll_create1");
    for (int i = 0; i < connections; i++)
    {
        struct epoll_event interest = { .events = EPOLLIN, .data.u32 = i };
        checked(epoll_ctl(epoll, EPOLL_CTL_ADD, handles[i], &interest), "epoll_ctl");
    }

    struct epoll_event ready[BATCH];
    double start = now() + warmup_seconds;
    for (long total = 0, before = -1;;)
    {
        int count = wait_ready(epoll, ready);
        for (int i = 0; i < count; i++)
        {
            int whole = take_turn(ready[i].data.u32, size, answer_size);
            if (whole < 0) return 0;
            total += whole;
        }

        double time = now();
        if (before < 0 && time >= start)
        {
            before = total;
            start = time;
        }

        if (before >= 0 && time - start >= seconds) return (total - before) / (time - start);
    }
}

/* Takes a message and gives one back, for so many seconds after the warm-up or until the stream ends. Returns how many per second. */
static double run_bulk(int handle, char *message, long bytes, double seconds)
{
    double start = now() + warmup_seconds, time = now();
    long total = 0;
    for (int warm = 0; !warm || time - start < seconds; time = now(), total++)
    {
        if (!warm && time >= start) start = time, total = 0, warm = 1;
        for (long sent = 0; sent < bytes;) sent += checked(send(handle, message + sent, bytes - sent, MSG_NOSIGNAL), "send");
        ssize_t count;
        for (long came = 0; came < bytes; came += count)
        {
            if ((count = recv(handle, message + came, bytes - came, 0)) <= 0) return 0;
        }
    }

    return total / (time - start);
}

static void answer_bulk(int handle, char *message, long bytes)
{
    for (;;)
    {
        ssize_t count;
        for (long came = 0; came < bytes; came += count)
        {
            if ((count = recv(handle, message + came, bytes - came, 0)) <= 0) return;
        }

        for (long sent = 0; sent < bytes; sent += count)
        {
            if ((count = send(handle, message + sent, bytes - sent, MSG_NOSIGNAL)) < 0) return;
        }
    }
}

int main(int argc, char **argv)
{
    long bulk = argc == 4 && !strcmp(argv[1], "bulk") ? atol(argv[2]) : 0;
    if (bulk > 0) argv[1] = argv[2] = "1";
    int connections = argc == 4 ? atoi(argv[1]) : 0, in_flight = argc == 4 ? atoi(argv[2]) : 0;
    double seconds = argc == 4 ? atof(argv[3]) : 0;
    if (connections < 1 || connections > MOST_CONNECTIONS || in_flight < 1 || in_flight > SEND_BUFFER / REPLY || seconds <= 0)
    {
        fprintf(stderr, "Usage: limit CONNECTIONS IN_FLIGHT SECONDS; 1 to %d, 1 to %d, above 0\n       limit bulk BYTES SECONDS\n", MOST_CONNECTIONS, SEND_BUFFER / REPLY);
        return 2;
    }

    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    int listener = checked(socket(AF_INET, SOCK_STREAM, 0), "socket");
    checked(bind(listener, (struct sockaddr *)&address, length), "bind");
    checked(listen(listener, MOST_CONNECTIONS), "listen");
    checked(getsockname(listener, (struct sockaddr *)&address, &length), "getsockname");
    int is_server = checked(fork(), "fork") == 0;
    if (is_server) prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < connections; i++)
    {
        handles[i] = is_server ? checked(accept(listener, NULL, NULL), "accept") : checked(socket(AF_INET, SOCK_STREAM, 0), "socket");
        if (!is_server) checked(connect(handles[i], (struct sockaddr *)&address, length), "connect");
        set_up(handles[i]);
    }

    if (bulk > 0)
    {
        char *message = calloc(bulk, 1);
        if (is_server) answer_bulk(handles[0], message, bulk);
        else printf("%.0f\n", run_bulk(handles[0], message, bulk, seconds));
        return 0;
    }

    if (is_server) return (int)run(connections, REQUEST, REPLY, 1e9);
    for (int i = 0; i < connections; i++) send_frames(handles[i], (long)in_flight * REQUEST);
    printf("%.0f\n", run(connections, REPLY, REQUEST, seconds));
    return 0;
}
