using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>What a handler gets from the callbacks of its caller, and in which order they run.</summary>
public sealed class CallingBackTests : CallbackTests
{
    private const int Depth = 8;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_calls_methods_of_every_form_while_its_call_runs(TransportKind kind)
    {
        var small = new byte[] { 1, 2, 3 };
        byte[] large = [];
        Service.OnImport = async (file, progress, token) =>
        {
            await progress.Report(10);
            Assert.Equal("Overwrite?!", await progress.Ask("Overwrite?", token));
            await progress.Advance();
            large = await progress.FetchAsync(small, 100_000, token);
            await progress.Report(100);
            return file.Length;
        };
        Assert.Equal(4, await ImportAsync(Start(Begin(kind))));
        Assert.Equal(["10%", "Overwrite?", "advance", "100%"], Callback.Seen);
        Assert.Equal(300_000, large.Length);
        Assert.Equal(small, large[^3..]);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Each_parameter_is_an_object_of_its_own(TransportKind kind)
    {
        var (first, crowd, second) = (new Progress(), new Crowd(), new Progress());
        crowd.Release.Set();
        int entered = 0;
        Service.OnMeet = async (one, many, two, token) =>
        {
            Assert.Equal("two!", await two.Ask("two", token));
            Assert.Equal("one!", await one.Ask("one", token));
            entered = await many.Enter(7, token);
        };
        await Start(Begin(kind)).Meet(first, crowd, second, TestContext.Current.CancellationToken).Within("a call with three callbacks");
        Assert.Equal(["one"], first.Seen);
        Assert.Equal(["two"], second.Seen);
        Assert.Equal(7, entered);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Callbacks_of_one_object_run_one_after_the_other_as_they_were_called(TransportKind kind)
    {
        const int Calls = 30;
        Callback.OnAsk = static async (question, _) =>
        {
            await Task.Yield();
            return question;
        };
        Service.OnImport = async (_, progress, token) =>
        {
            var asked = Enumerable.Range(0, Calls).Select(async i => await progress.Ask($"{i}", token)).ToList();
            var answers = await Task.WhenAll(asked);
            return answers.Select(int.Parse).SequenceEqual(Enumerable.Range(0, Calls)) ? Calls : -1;
        };
        Assert.Equal(Calls, await ImportAsync(Start(Begin(kind))));
        Assert.Equal(1, Callback.Most);
        Assert.Equal(Enumerable.Range(0, Calls).Select(static i => $"{i}"), Callback.Seen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task As_many_callbacks_run_concurrently_as_the_interface_allows(TransportKind kind)
    {
        const int Allowed = 4, Calls = 9;
        var crowd = new Crowd();
        int sum = 0;
        Service.OnMeet = async (_, many, _, token) => sum = (await Task.WhenAll(Enumerable.Range(1, Calls).Select(i => many.Enter(i, token)))).Sum();
        var call = Start(Begin(kind)).Meet(Callback, crowd, Callback, TestContext.Current.CancellationToken);
        await crowd.Entered.ReachAsync(Allowed);
        Assert.Equal(Allowed, crowd.Entered.Count);
        crowd.Release.Set();
        await call.Within("the call");
        Assert.Equal((Calls, Calls * (Calls + 1) / 2), (crowd.Entered.Count, sum));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Everything_that_came_before_the_result_has_run_when_the_call_returns(TransportKind kind)
    {
        const int Reports = 1_000;
        Callback.OnReport = static async percent =>
        {
            if (percent % 100 == 0) await Task.Yield();
        };
        Service.OnImport = async (_, progress, _) =>
        {
            for (int i = 0; i < Reports; i++) await progress.Report(i);
            await progress.Ask("are all here", default); // then the next one finds room; one that waits for it ends with the call
            var asked = progress.Ask("and nobody waits for the answer", default).AsTask();
            Assert.False(asked.IsFaulted);
            return Reports;
        };
        Assert.Equal(Reports, await ImportAsync(Start(Begin(kind))));
        string[] seen = [.. Enumerable.Range(0, Reports).Select(static i => $"{i}%"), "are all here", "and nobody waits for the answer"];
        Assert.Equal(seen, Callback.Seen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_calls_the_server_whose_handler_calls_back_and_so_on(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        Service.OnImport = static async (file, progress, token) => int.Parse(await progress.Ask(file, token)) + 1;
        Assert.Equal(Depth, await GoAsync(Depth));

        async Task<int> GoAsync(int left)
        {
            if (left == 0) return 0;
            var callback = new Progress { OnAsk = async (question, _) => $"{await GoAsync(int.Parse(question) - 1)}" };
            return await sut.Import($"{left}", callback, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call that calls back");
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_passes_callbacks_to_its_client(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IImports>(new Imports()));
        Service.OnImport = static async (_, progress, token) => (await progress.Ask("at the client", token)).Length;
        await scene.CreateChannel(server, options => options.AddService<IImports>(Service)).ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        Assert.Equal("at the client!".Length, await ImportAsync(server.Peers.Single().Get<IImports>()));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Callbacks_pass_a_gateway(TransportKind kind)
    {
        var scene = Begin(kind);
        var behind = scene.CreateChannel(scene.StartServer(server => server.AddService<IImports>(Service)));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("test.*", behind)));
        Service.OnImport = static async (_, progress, token) =>
        {
            await progress.Report(50);
            return (await progress.Ask("through a gateway", token)).Length;
        };
        Assert.Equal("through a gateway!".Length, await ImportAsync(scene.CreateChannel(gateway).CreateProxy<IImports>()));
        Assert.Equal(["50%", "through a gateway"], Callback.Seen);
    }
}
