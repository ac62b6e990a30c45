using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Handlers of one connection run one after the other, those of two connections at the same time.</summary>
public sealed class SerialCallTests : EndToEndTests
{
    private readonly Accounts _accounts = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_of_a_connection_run_one_after_the_other_as_they_were_made(TransportKind kind)
    {
        const int Calls = 100;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IEditor>(_accounts));
        var proxies = Enumerable.Range(0, 3).Select(_ => scene.CreateChannel(server).CreateProxy<IEditor>()).ToArray();
        var random = new Random(TestSeed.Next());
        int[] ways = [.. Enumerable.Range(0, Calls).Select(_ => random.Next(3))];
        var body = new byte[200_000];
        _accounts.OnRun = async (_, number, _) =>
        {
            if (ways[number] == 1) await Task.Yield();
        };

        var calls = proxies.SelectMany((proxy, writer) => Enumerable.Range(0, Calls).Select(number => ways[number] == 2 && number % 10 == 0
            ? proxy.Paste(writer, number, body, Token).AsTask() : proxy.Edit(writer, number, Token).AsTask())).ToArray();
        await Task.WhenAll(calls).Within("the calls of three connections");

        for (int writer = 0; writer < proxies.Length; writer++) Assert.Equal(Enumerable.Range(0, Calls), _accounts.NumbersOf(writer));
        Assert.Equal(0, _accounts.Overlaps);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_does_not_wait_for_another(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IEditor>(_accounts));
        var end = new Signal("the end of the handler of the first connection");
        _accounts.OnRun = (writer, number, _) => (writer, number) == (0, 0) ? new(end.WaitAsync()) : default;
        var blocked = scene.CreateChannel(server).CreateProxy<IEditor>();
        var first = blocked.Edit(0, 0, Token).AsTask();
        await _accounts.Started.ReachAsync(1);
        var second = blocked.Edit(0, 1, Token).AsTask();

        Assert.Equal(0, await scene.CreateChannel(server).CreateProxy<IEditor>().Edit(1, 0, Token).AsTask().Within("a call of another connection"));

        Assert.Equal([0], _accounts.NumbersOf(0));
        end.Set();
        await Task.WhenAll(first, second).Within("the calls of the first connection");
    }
}
