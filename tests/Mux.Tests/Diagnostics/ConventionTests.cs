using System.Diagnostics;
using System.Net;
using Mux.Diagnostics;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

namespace Mux.Tests.Diagnostics;

/// <summary>What real calls tell is held against the tables of <see cref="Convention"/>.</summary>
public sealed class ConventionTests : EndToEndTests
{
    private readonly Mixed _service = new();

    public static MatrixTheoryData<TransportKind, string> Calls =>
        new(EveryTransport.Kinds.Where(kind => kind != TransportKind.InMemory), ["", "fail", "throw", "missing", "missing large"]);

    [Theory(Timeout = TestLimit), MemberData(nameof(Calls))]
    public async Task Every_call_has_the_attributes_of_the_convention_and_no_others(TransportKind kind, string what)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service)));
        using var spans = new Spans();
        using var durations = new Durations(scene.Meters);
        bool isKnown = !what.StartsWith("missing", StringComparison.Ordinal);
        var question = new Question { Text = what, Bytes = new byte[what == "missing large" ? 300_000 : 1] };
        var call = isKnown ? channel.CreateProxy<IMixed>().Ask(question, cancellationToken: TestContext.Current.CancellationToken) : channel.CreateProxy<INewerMixed>().Missing(question);
        if (what.Length == 0) await call;
        else await Assert.ThrowsAsync<MuxException>(async () => await call);

        var (client, server) = await spans.OfTheOnlyCallAsync();
        var (clientDuration, serverDuration) = (await durations.OfAsync("rpc.client.call.duration"), await durations.OfAsync("rpc.server.call.duration"));
        var status = what switch { "" => "OK", "fail" => "NOT_FOUND", "throw" => "UNKNOWN", _ => "UNIMPLEMENTED" };
        var atClient = new ObservedCall(ActivityKind.Client, status, kind != TransportKind.Unix, isKnown);
        var atServer = atClient with { Side = ActivityKind.Server };
        AssertHolds(Convention.ClientSpan, client.TagObjects.ToDictionary(), atClient);
        AssertHolds(Convention.ServerSpan, server.TagObjects.ToDictionary(), atServer);
        AssertHolds(Convention.ClientDuration, clientDuration.Tags, atClient);
        AssertHolds(Convention.ServerDuration, serverDuration.Tags, atServer);
        Assert.Equal(isKnown ? "t.Mixed/Ask" : "t.Mixed/Missing", client.DisplayName);
        Assert.Equal(isKnown ? "t.Mixed/Ask" : "mux", server.DisplayName);
        Assert.Equal((client.TraceId, client.SpanId), (server.TraceId, server.ParentSpanId));

        var address = channel.Address;
        Assert.Equal(kind == TransportKind.Unix ? address.Path : address.Host, client.GetTagItem("server.address"));
        Assert.Equal(client.GetTagItem("server.address"), clientDuration.Tags["server.address"]);
        Assert.Equal(kind == TransportKind.Unix ? address.Path : "127.0.0.1", client.GetTagItem("network.peer.address"));
        if (kind == TransportKind.Unix) return;
        Assert.Equal((address.Port, address.Port), ((int)client.GetTagItem("server.port")!, (int)client.GetTagItem("network.peer.port")!));
        Assert.Equal(("127.0.0.1", "127.0.0.1"), (server.GetTagItem("network.peer.address"), server.GetTagItem("client.address")));
        Assert.InRange((int)server.GetTagItem("network.peer.port")!, 1, IPEndPoint.MaxPort);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Each_status_is_an_error_where_the_convention_says_so()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service))).CreateProxy<IMixed>();
        foreach (var status in Enum.GetValues<MuxStatus>().Where(status => status != MuxStatus.Ok))
        {
            using var spans = new Spans();
            using var durations = new Durations(scene.Meters);
            _service.OnOwn = (_, _) => throw new MuxException(status, "of the test");
            await Assert.ThrowsAnyAsync<Exception>(async () => await sut.Ask(new Question { Text = "own" }, cancellationToken: TestContext.Current.CancellationToken));
            var (client, server) = await spans.OfTheOnlyCallAsync();
            await AssertErrorAsync(client, durations, "rpc.client.call.duration");
            await AssertErrorAsync(server, durations, "rpc.server.call.duration");
        }

        static async Task AssertErrorAsync(Activity span, Durations durations, string instrument)
        {
            var status = (string)span.GetTagItem("rpc.status_code")!;
            bool isError = new ObservedCall(span.Kind, status, HasPorts: false, IsKnown: true).IsError;
            Assert.Equal(isError ? ActivityStatusCode.Error : ActivityStatusCode.Unset, span.Status);
            Assert.Equal(isError ? status : null, span.GetTagItem("error.type"));
            Assert.Equal(isError ? status : null, (await durations.OfAsync(instrument)).Tags.GetValueOrDefault("error.type"));
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Samplers_see_what_they_decide_by()
    {
        var seen = new List<(ActivityKind Kind, string[] Keys)>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == MuxTelemetry.Source,
            Sample = (ref options) =>
            {
                lock (seen) seen.Add((options.Kind, [.. options.Tags!.Select(tag => tag.Key)]));
                return ActivitySamplingResult.None;
            },
        };
        ActivitySource.AddActivityListener(listener);
        var scene = Begin(TransportKind.Tcp);
        await scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service))).CreateProxy<IMixed>().Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        foreach (var (kind, table) in new[] { (ActivityKind.Client, Convention.ClientSpan), (ActivityKind.Server, Convention.ServerSpan) })
        {
            var call = new ObservedCall(kind, "OK", HasPorts: true, IsKnown: true);
            var expected = table.Where(row => Convention.AtCreation.Contains(row.Key) && row.IsExpected(call)).Select(row => row.Key).ToHashSet();
            Assert.Subset(Assert.Single(seen, entry => entry.Kind == kind).Keys.ToHashSet(), expected);
        }
    }

    private static void AssertHolds(ConventionRow[] table, Dictionary<string, object?> tags, ObservedCall call)
    {
        Assert.Empty(tags.Keys.Except(table.Select(row => row.Key)));
        Assert.All(table, row =>
        {
            Assert.True(row.IsExpected(call) == tags.ContainsKey(row.Key), $"{row.Key} ({row.Level}) in {call}: {string.Join(", ", tags)}");
            if (tags.TryGetValue(row.Key, out var value)) Assert.IsType(row.Type, value);
        });
        Assert.Equal(("mux", call.Status), (tags["rpc.system.name"], tags["rpc.status_code"]));
        bool isOther = call is { IsKnown: false, Side: ActivityKind.Server };
        Assert.Equal(isOther ? "_OTHER" : call.IsKnown ? "t.Mixed/Ask" : "t.Mixed/Missing", tags["rpc.method"]);
        if (tags.TryGetValue("rpc.method_original", out var original)) Assert.Equal("t.Mixed/Missing", original);
        if (call.IsError) Assert.Equal(call.Status, tags["error.type"]);
    }
}
