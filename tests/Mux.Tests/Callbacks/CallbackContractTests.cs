using System.Collections.Concurrent;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Filters;

namespace Mux.Tests.Callbacks;

/// <summary>Callbacks with filters around their call, between contracts of different age, and with another serializer.</summary>
public sealed class CallbackContractTests : CallbackTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Filters_of_both_sides_run_around_the_call_and_count_its_messages(TransportKind kind)
    {
        var seen = new ConcurrentBag<string>();
        var scene = Begin(kind);
        Service.OnImport = static async (_, progress, token) =>
        {
            await progress.Report(1);
            return (await progress.Ask("?", token)).Length;
        };
        var server = scene.StartServer(server => server.AddService<IImports>(Service), options => options.Filters.Add(Noting()));
        var sut = scene.CreateChannel(server, options => options.Filters.Add(Noting())).CreateProxy<IImports>();
        Assert.Equal(2, await ImportAsync(sut));
        await Eventually.Holds(() => seen.Count == 2, "the filters of both sides to have ended");
        Assert.Equal(["Client 1 3 Ok", "Server 3 1 Ok"], seen.Order());
        var failure = await Assert.ThrowsAsync<MuxException>(() => sut.Import("file", null!, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call without its callback"));
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (failure.Status, failure.Execution));

        FilterOf Noting() => new(async (call, next) =>
        {
            await next.RunAsync(call);
            seen.Add($"{call.Side} {call.ItemsSent} {call.ItemsReceived} {call.Status}");
        });
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_is_told_what_an_older_caller_does_not_have(TransportKind kind)
    {
        var (callback, failures) = (new OlderProgress(), new List<MuxException>());
        Service.OnImport = async (_, progress, token) =>
        {
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Ask("?", token).AsTask()));
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Advance().AsTask()));
            await progress.Report(42);
            return 1;
        };
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IImports>(Service))).CreateProxy<IOlderImports>();
        Assert.Equal(1, await sut.Import("file", callback, TestContext.Current.CancellationToken).AsTask().Within("a call of an older caller"));
        Assert.Equal([42], callback.Reports);
        Assert.All(failures, static failure => Assert.Equal(MuxStatus.Unimplemented, failure.Status));
        Assert.Contains("IOlderProgress has no method Ask", failures[0].Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Messages_of_callbacks_are_sent_by_the_serializer_of_the_method(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(static server => server.AddService<IJsonImports>(new JsonImports()))).CreateProxy<IJsonImports>();
        var rows = new JsonRows();
        Assert.Equal(new JsonRow("abbb", 3), await sut.Import(new JsonRow("a", 0), rows, TestContext.Current.CancellationToken).AsTask().Within("a call in JSON"));
        Assert.True(rows.IsDone);
    }

    private sealed class OlderProgress : IOlderProgress
    {
        public List<int> Reports { get; } = [];

        public ValueTask Report(int percent)
        {
            Reports.Add(percent);
            return default;
        }
    }

    private sealed class JsonImports : IJsonImports
    {
        public async ValueTask<JsonRow> Import(JsonRow first, IJsonRows rows, CancellationToken cancellationToken)
        {
            var row = first;
            while (row.Number < 3) row = await rows.Follow(row, cancellationToken);
            await rows.Done();
            return row;
        }
    }

    private sealed class JsonRows : IJsonRows
    {
        public bool IsDone { get; private set; }

        public ValueTask<JsonRow> Follow(JsonRow last, CancellationToken cancellationToken) => new(new JsonRow(last.Name + "b", last.Number + 1));

        public ValueTask Done()
        {
            IsDone = true;
            return default;
        }
    }
}
