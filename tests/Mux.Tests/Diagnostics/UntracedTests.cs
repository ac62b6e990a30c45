using System.Diagnostics;
using Mux.Contracts;
using Mux.Protocol;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

namespace Mux.Tests.Diagnostics;

/// <summary>Where nobody listens to calls there are no spans, and nothing of a trace is sent but what is the caller's own.</summary>
public sealed class UntracedTests : EndToEndTests
{
    private readonly SentBytes _byClient = new();
    private readonly Mixed _service = new();

    [Fact(Timeout = TestLimit)]
    public async Task Without_a_listener_nothing_is_created_and_nothing_is_sent()
    {
        var sut = Start();
        using (new Activity("of somebody else").Start()) Assert.NotNull(Activity.Current); // from here on calls look for one
        await CallAllAsync(sut);
        Assert.Equal([false, false, false], TracesSent());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Without_a_listener_the_callers_own_activity_is_carried_on()
    {
        var sut = Start();
        using var caller = new Activity("caller").Start();
        await CallAllAsync(sut);
        Assert.Equal([true, true, true], TracesSent());
        Assert.All(Requests(), request => Assert.Equal($"{caller.TraceId}-{caller.SpanId}-00", request.Head.ReadTrace(request.Payload).ToString()));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_listener_that_samples_nothing_gets_no_spans_and_the_callers_own_is_carried_on()
    {
        using var spans = new Spans(ActivitySamplingResult.None);
        var sut = Start();
        using var caller = new Activity("caller") { ActivityTraceFlags = ActivityTraceFlags.Recorded }.Start();
        await CallAllAsync(sut);
        Assert.Empty(spans.Started);
        Assert.All(Requests(), request => Assert.Equal($"{caller.TraceId}-{caller.SpanId}-01", request.Head.ReadTrace(request.Payload).ToString()));
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_activity_with_ids_of_another_format_is_not_carried_on()
    {
        var sut = Start();
        using var caller = new Activity("caller").SetIdFormat(ActivityIdFormat.Hierarchical).Start();
        await CallAllAsync(sut);
        Assert.Equal([false, false, false], TracesSent());
    }

    [Theory]
    [InlineData(0, 0, 1)]
    [InlineData(1, 1, 0)]
    [InlineData(0, 0, 0)]
    public void A_trace_without_an_id_is_none(ulong high, ulong low, ulong span)
    {
        using var spans = new Spans();
        using var foreign = new Activity("of the thread").Start();
        var sut = Tracing.StartHandler(new MethodDescriptor("t.Mixed", "Ask", MethodShape.Unary, takesToken: false), new TraceContext(high, low, span, 1), "somebody")!;
        Assert.Null(sut.ParentId);
        Assert.NotEqual(foreign.TraceId, sut.TraceId);
        Tracing.End(sut, MuxStatus.Ok);
    }

    /// <summary>A small call, a large one, and one that streams.</summary>
    private static async Task CallAllAsync(IMixed sut)
    {
        await sut.Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        await sut.Ask(new Question { Bytes = new byte[100_000] }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(1, await sut.List(new Question { Names = ["a"] }, TestContext.Current.CancellationToken).CountAsync(TestContext.Current.CancellationToken));
    }

    private IEnumerable<bool> TracesSent() => Requests().Select(request => request.Head.HasTrace);

    /// <summary>The first frames of the requests that were sent.</summary>
    private List<(RequestHead Head, byte[] Payload)> Requests()
    {
        var requests = new List<(RequestHead Head, byte[] Payload)>();
        var begun = new HashSet<CallId>();
        foreach (var (header, payload) in new WireFrames(_byClient.Bytes).All)
        {
            if (header.Kind != FrameKind.Request || !begun.Add(header.Id)) continue;
            Assert.True(RequestHead.TryRead(payload, out var head, out _));
            requests.Add((head, payload));
        }

        return requests;
    }

    private IMixed Start()
    {
        var scene = Begin(TransportKind.InMemory);
        var transport = new OffsetTransport(scene.InMemory);
        transport.Expect(_byClient, new SentBytes());
        scene.DialsElsewhere = 1;
        var server = scene.StartServer(server => server.AddService<IMixed>(_service));
        return scene.CreateChannel(server, options => options.Transport = transport).CreateProxy<IMixed>();
    }
}
