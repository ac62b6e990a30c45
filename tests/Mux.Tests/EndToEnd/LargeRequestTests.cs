using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A request that is too long for its peer is told so, however long it is and whatever waits.</summary>
public sealed class LargeRequestTests : EndToEndTests
{
    private const int Length = 100 << 20;

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task One_request_of_100_megabytes_is_told_to_be_a_stream(bool isConnected)
    {
        var scene = Begin(TransportKind.Epoll);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk())));
        if (isConnected) await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var error = await channel.CreateProxy<IDesk>().AskPlainly(new Question { Bytes = new byte[Length] })
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode);
        Assert.Contains("MaxMessageBytes of the server (MuxServerOptions) is 4194304. Send a stream, or raise it and MaxReassemblyBytes there.", error.Message, StringComparison.Ordinal);
        TestContext.Current.TestOutputHelper!.WriteLine(error.Message);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_that_is_too_long_is_told_so_behind_calls_that_wait(TransportKind kind)
    {
        var scene = Begin(kind);
        var answer = new Signal("the answers");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = 1);
        var channel = scene.CreateChannel(server, options => (options.MaxConnections, options.MaxQueuedBytes) = (1, 65_536));
        var sut = channel.CreateProxy<IDesk>();
        var open = sut.AskPlainly(new Question { Id = 1 }).AsTask();
        await desk.Started.ReachAsync(1);
        var waiting = sut.AskPlainly(new Question { Id = 2 }).AsTask();

        var error = await sut.AskPlainly(new Question { Bytes = new byte[5 << 20] }).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode);

        Assert.Contains("Send a stream", error.Message, StringComparison.Ordinal);
        answer.Set();
        Assert.Equal((1, 2), ((await open).Id, (await waiting).Id));
    }
}
