using System.Net;
using System.Net.Sockets;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.Tests.Contracts;

namespace Mux.Tests.Channels;

/// <summary>Channels whose server does its worst, frame by frame.</summary>
public sealed class HostileServerTests : IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMilliseconds(500);

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
    private int _accepted;

    public HostileServerTests() => _listener.Start();

    public void Dispose()
    {
        _listener.Dispose();
        _stop.Dispose();
    }

    [Fact(Timeout = 90_000)]
    public async Task A_server_that_drains_every_connection_at_once_is_not_dialed_without_a_pause()
    {
        var serving = ServeAsync([.. Handshake(new PeerSettings()), .. ScriptedPeer.Frame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0])]);
        await using var channel = CreateChannel();

        var error = await Assert.ThrowsAsync<MuxException>(async () => await channel.CreateProxy<IDesk>().AskPlainly(new Question()));

        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.InRange(Volatile.Read(ref _accepted), 1, 50); // thousands without a pause
        await _stop.CancelAsync();
        await serving;
    }

    [Fact(Timeout = 90_000)]
    public async Task A_server_that_allows_no_calls_fails_them_not_executed()
    {
        var serving = ServeAsync(Handshake(new PeerSettings { MaxCalls = 0 }));
        await using var channel = CreateChannel(TimeSpan.FromMinutes(1)); // not what ends them
        var sut = channel.CreateProxy<IDesk>();

        for (int call = 0; call < 2; call++) // one that waits for the handshake, and one that comes after it
        {
            var error = await Assert.ThrowsAsync<MuxException>(async () => await sut.AskPlainly(new Question()));
            Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (error.Status, error.Execution));
            Assert.Contains("accepts no calls", error.Message, StringComparison.Ordinal);
        }

        await _stop.CancelAsync();
        await serving;
    }

    private static byte[] Handshake(PeerSettings settings) => [.. Preface.Bytes, .. ScriptedPeer.Hello(settings)];

    private MuxChannel CreateChannel(TimeSpan? deadline = null) =>
        MuxChannel.Create(new MuxChannelOptions { Address = $"mux://{_listener.LocalEndpoint}", CallTimeout = deadline ?? s_deadline, DrainTimeout = TimeSpan.Zero });

    /// <summary>Says the same to everybody, and nothing more.</summary>
    private async Task ServeAsync(byte[] words)
    {
        var clients = new List<Socket>();
        try
        {
            while (true)
            {
                var client = await _listener.AcceptSocketAsync(_stop.Token);
                Interlocked.Increment(ref _accepted);
                clients.Add(client);
                client.Send(words, SocketFlags.None, out _); // whether or not it still listens
            }
        }
        catch (OperationCanceledException)
        {
            clients.ForEach(client => client.Dispose());
        }
    }
}
