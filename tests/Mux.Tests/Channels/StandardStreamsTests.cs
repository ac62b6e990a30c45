using System.Diagnostics;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Streams;

namespace Mux.Tests.Channels;

/// <summary>A server that its client runs for itself, and speaks to over its standard streams.</summary>
public sealed class StandardStreamsTests
{
    private const int Patience = 60_000;

    [Fact(Timeout = Patience)]
    public async Task A_process_serves_over_its_standard_streams_until_its_client_is_done()
    {
        using var process = StartServer();
        await using (var channel = Connect(process))
        {
            var desk = channel.CreateProxy<IDesk>();
            for (int id = 1; id <= 100; id++) Assert.Equal(id, (await desk.AskPlainly(new Question { Id = id })).Id);
        }

        await process.WaitForExitAsync(TestContext.Current.CancellationToken).Within("the end of the process");
        Assert.Equal(0, process.ExitCode);
        Assert.Contains("not between the frames", await process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact(Timeout = Patience)]
    public async Task A_process_that_dies_fails_its_calls_and_its_streams_are_not_used_again()
    {
        using var process = StartServer();
        await using var channel = Connect(process);
        var desk = channel.CreateProxy<IDesk>();
        await desk.AskPlainly(new Question { Id = 1 });
        var call = desk.AskPlainly(new Question { Id = -1 }).AsTask();
        process.Kill();
        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.StartsWith("Cannot connect to mux://worker:7070:", error.Message, StringComparison.Ordinal);
        Assert.Contains("closed", error.Message, StringComparison.Ordinal);
    }

    private static MuxChannel Connect(Process process) => MuxChannel.Create(new MuxChannelOptions
    {
        Address = "mux://worker",
        Transport = StreamTransport.Connecting((_, _) => new(StreamConnection.Over(process))),
    });

    private static Process StartServer() => Process.Start(new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server"), ["standard-streams"])
    {
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
        RedirectStandardError = true,
    })!;
}
