using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Mux.Tests.Channels;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Floods;

/// <summary>A server process that may open no more files while a crowd connects.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class OutOfHandlesTests
{
    private const int Crowd = 2_000;
    private const int Handles = 256;

    /// <summary>The goal: how long after there are handles again a client that waits has its answer.</summary>
    private static readonly TimeSpan s_recovery = TimeSpan.FromSeconds(2);

    [Theory(Timeout = 90_000)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_without_handles_goes_on_and_takes_clients_within_two_seconds_of_having_some(bool isPortable)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "It takes the limit of the shell, and /dev/null.");
        await using var process = await ServerProcess.StartAsync(MuxAddress.Parse("mux://127.0.0.1:0"), maxCalls: 100, Handles, isPortable);
        await using var old = Connect(process);
        var before = old.CreateProxy<IDesk>();
        Assert.Equal(1, await AskAsync(before, 1)); // what a call needs is loaded by now

        await process.TakeHandlesAsync();
        for (int i = 0; i < Crowd; i++)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, process.Address.Port), TestContext.Current.CancellationToken);
            if (i % 100 == 0) Assert.Equal(i, await AskAsync(before, i)); // who is there is served
        }

        Assert.Contains("TooManyOpenSockets", await process.FailedAcceptAsync(), StringComparison.Ordinal);
        await using var late = Connect(process);
        var waiting = AskUntilTakenAsync(late.CreateProxy<IDesk>(), 2); // behind the crowd
        Assert.False(waiting.IsCompleted);

        await process.FreeHandlesAsync();
        long freed = Stopwatch.GetTimestamp();
        Assert.Equal(2, await waiting.WaitAsync(s_recovery, TestContext.Current.CancellationToken));
        TestContext.Current.TestOutputHelper?.WriteLine($"The first call was answered {Stopwatch.GetElapsedTime(freed).TotalMilliseconds:F0} ms after there were handles.");
        Assert.Equal(3, await AskAsync(before, 3));
        await using var next = Connect(process);
        Assert.Equal(4, await AskAsync(next.CreateProxy<IDesk>(), 4));
        Assert.False(process.HasEnded);
    }

    /// <summary>A client of the crowd's address is refused while the server is busy with the crowd, and asks again.</summary>
    private static async Task<int> AskUntilTakenAsync(IDesk desk, int id)
    {
        while (true)
        {
            try
            {
                return await AskAsync(desk, id);
            }
            catch (MuxException error) when (error is { Status: MuxStatus.Unavailable, Execution: MuxExecution.NotExecuted })
            {
                await Task.Yield();
            }
        }
    }

    private static MuxChannel Connect(ServerProcess process) => MuxChannel.Create(process.Address.ToString());

    private static async Task<int> AskAsync(IDesk desk, int id) => (await desk.AskPlainly(new Question { Id = id }).AsTask().Within($"the reply to call {id}")).Id;
}
