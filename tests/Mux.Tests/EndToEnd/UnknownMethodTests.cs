using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Both sides were built against different contracts.</summary>
public sealed class UnknownMethodTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_service_the_server_does_not_have_fails_the_call_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IForms>(new Forms())));
        var error = await channel.CreateProxy<IDesk>().AskPlainly(new Question()).FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("test.Desk/AskPlainly", error.Message, StringComparison.Ordinal);
        Assert.EndsWith("The server does not serve 'test.Desk'; was AddService called?", error.Message, StringComparison.Ordinal);
        await AssertAliveAsync(scene, channel);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_method_the_service_does_not_have_fails_the_call_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IForms>(new Forms()).AddService<IShape>(new Shape())));
        var error = await channel.CreateProxy<INewerShape>().Added(1).AsTask().FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("test.Shape/Added", error.Message, StringComparison.Ordinal);
        Assert.EndsWith("The server serves 'test.Shape' without a method 'Added'; it may be older than this client.", error.Message, StringComparison.Ordinal);
        await AssertAliveAsync(scene, channel);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_method_of_another_shape_fails_the_call_and_names_both(TransportKind kind)
    {
        var scene = Begin(kind);
        var shape = new Shape();
        var server = scene.StartServer(server => server.AddService<IForms>(new Forms()).AddService<IShape>(shape));
        var channel = scene.CreateChannel(server);
        var sut = channel.CreateProxy<INewerShape>();
        var error = await sut.Posted(1).AsTask().FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("test.Shape/Posted is OneWay here and was called as Unary", error.Message, StringComparison.Ordinal);
        await sut.Answered(1); // one-way: its caller is not told
        await AssertAliveAsync(scene, channel);
        Assert.Equal(0, shape.Calls);
        Assert.Equal(2, scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.calls" && reading.Tag("rpc.status_code") == "UNIMPLEMENTED").Sum(reading => reading.Value));
    }

    private static async Task AssertAliveAsync(Scene scene, MuxChannel channel)
    {
        Assert.Equal(5, await channel.CreateProxy<IForms>().Number(5));
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    private sealed class Shape : IShape
    {
        public int Calls { get; private set; }

        public ValueTask Answered(int number)
        {
            Calls++;
            return default;
        }

        public ValueTask Posted(int number)
        {
            Calls++;
            return default;
        }
    }
}
