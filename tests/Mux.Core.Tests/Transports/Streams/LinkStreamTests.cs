using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Streams;

/// <summary>A link as a stream: where reads complete, what is kept while nobody reads, and how it ends.</summary>
[Collection(nameof(TransportTests))]
public sealed class LinkStreamTests
{
    private const int TestLimit = 60_000;
    private const int Period = 251; // a prime: no piece of a power of two has the bytes of the one before it

    /// <summary>What is sent again and again. It begins a new period with each of them, so that every byte says where it stands.</summary>
    private static readonly byte[] s_piece = [.. Enumerable.Range(0, Period * 1_000).Select(at => (byte)(at % Period))];

    public static TheoryData<string> Engines => ["epoll", "portable"];

    [Theory(Timeout = TestLimit), MemberData(nameof(Engines))]
    public async Task A_link_is_paused_while_nobody_reads_and_nothing_is_lost(string engine)
    {
        const int Bytes = 32 * 1024 * 1024; // more than the system keeps
        using var scene = await Scene.OpenAsync(Transport(engine));
        var sending = SendAsync(scene.Dialer, Bytes);
        var received = new byte[100_000];
        long total = 0;
        for (int reads = 0; total < Bytes; reads++)
        {
            if (reads % 50 == 0) await Eventually.Holds(() => scene.Acceptor.HasWaiting, "bytes that wait");
            int count = await scene.Acceptor.ReadAsync(received, TestContext.Current.CancellationToken).AsTask().Within("bytes");
            Assert.NotEqual(0, count);
            Assert.True(s_piece.AsSpan((int)(total % Period), count).SequenceEqual(received.AsSpan(0, count)), $"Of the {count} bytes behind the first {total} some are others.");
            total += count;
        }

        await sending.Within("all bytes sent");
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Engines))]
    public async Task A_stream_that_nobody_reads_takes_no_more_than_its_limit_and_ends_when_it_is_disposed(string engine)
    {
        using var scene = await Scene.OpenAsync(Transport(engine));
        var sending = SendAsync(scene.Dialer, 64 * 1024 * 1024);
        await Eventually.Holds(() => scene.Acceptor.HasWaiting, "bytes that wait");
        scene.Acceptor.Dispose();
        Assert.IsNotType<TimeoutException>(await Record.ExceptionAsync(() => sending.Within("the end of the sender's writes"))); // told, or dropped: the end is the reader's to find
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await scene.Acceptor.ReadExactlyAsync(new byte[1], TestContext.Current.CancellationToken));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_link_that_cannot_be_paused_is_closed_when_a_handshake_does_not_read()
    {
        using var scene = await Scene.OpenAsync(new InMemoryTransport());
        await SendAsync(scene.Dialer, 16 * 1024 * 1024).Within("the link takes it, or drops it");
        long kept = 0;
        await Assert.ThrowsAsync<ObjectDisposedException>(async () =>
        {
            var buffer = new byte[65_536];
            while (true) kept += await scene.Acceptor.ReadAsync(buffer, TestContext.Current.CancellationToken).AsTask().Within("the end of the link");
        });
        Assert.InRange(kept, 1, 2 * LinkStream.Limit);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_end_of_the_peer_comes_behind_all_that_it_has_sent()
    {
        using var scene = await Scene.OpenAsync(new SocketTransport());
        await scene.Dialer.WriteAsync(new byte[10_000], TestContext.Current.CancellationToken);
        scene.Dialer.Dispose();
        var all = new MemoryStream();
        await scene.Acceptor.CopyToAsync(all, TestContext.Current.CancellationToken).Within("the end of the peer");
        Assert.Equal(10_000, all.Length);
    }

    private static ITransport Transport(string engine) => engine == "epoll" && EpollTransport.IsSupported ? new EpollTransport() : new SocketTransport();

    private static async Task SendAsync(Stream stream, int bytes)
    {
        for (int sent = 0; sent < bytes; sent += s_piece.Length) await stream.WriteAsync(s_piece.AsMemory(0, Math.Min(s_piece.Length, bytes - sent)));
    }

    private sealed class Scene(LinkStream dialer, LinkStream acceptor, ITransportListener listener, ITransport transport) : IDisposable
    {
        public LinkStream Dialer { get; } = dialer;

        public LinkStream Acceptor { get; } = acceptor;

        public static async Task<Scene> OpenAsync(ITransport transport)
        {
            var accepted = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
            var listener = transport.Listen(MuxAddress.Parse(transport is InMemoryTransport ? "mux://memory:0" : "mux://127.0.0.1:0"), link => accepted.TrySetResult(link));
            var dialer = new LinkStream(transport.CreateLink(listener.Address));
            await dialer.OpenAsync().Within("the dialer's connection");
            var acceptor = new LinkStream(await accepted.Task.Within("a link"));
            await acceptor.OpenAsync().Within("the acceptor's connection");
            return new(dialer, acceptor, listener, transport);
        }

        public void Dispose()
        {
            Dialer.Dispose();
            Acceptor.Dispose();
            listener.Dispose();
            (transport as IDisposable)?.Dispose();
        }
    }
}
