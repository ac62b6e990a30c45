using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>What a connection of an overloaded server does with requests: by priority, then by trace, before anything is decoded.</summary>
public sealed class RequestSheddingTests : IDisposable
{
    private const int Calls = 256;

    private readonly List<PeerLimit> _refused = [];
    private readonly SharedBudgets _shared;
    private readonly List<ScriptedPeer> _clients = [];

    public RequestSheddingTests() =>
        _shared = new(new HandlerLimit(BudgetLimits.Unbounded, _ => { }), new NoStalls(), new MemoryBudget(long.MaxValue, BudgetLimits.Unbounded), _refused.Add);

    public void Dispose()
    {
        foreach (var client in _clients)
        {
            client.End();
            Assert.Equal(0, client.Sut.RequestCounts.OpenCount);
        }
    }

    [Fact]
    public void All_requests_run_while_nothing_is_cut()
    {
        var client = Open();
        for (int slot = 1; slot <= Calls; slot++) client.Request(new CallId(slot, 1), 0, [1]);

        Assert.All(client.ReadAll(), answer => Assert.Equal(FrameKind.Response, answer.Kind));
    }

    [Fact]
    public void A_refused_request_is_answered_not_executed_with_a_time_to_come_back()
    {
        var client = Open();
        _shared.Admission.SetTimes(50_000, 0);
        _shared.Admission.Set(0.02, new AdmissionCut(0, 0, 0));

        client.Request(new CallId(1, 1), 0, [1]);

        var answer = client.Read();
        Assert.True(FailFrame.TryRead(answer.Payload, out var fail, out _));
        Assert.Equal((FrameKind.Fail, (byte)MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (answer.Kind, fail.Status, fail.Execution));
        Assert.InRange(fail.RetryAfterMilliseconds, 100u, 150u);
        Assert.Contains("MaxQueueTime", fail.Text, StringComparison.Ordinal);
        Assert.Equal([PeerLimit.QueueTime], _refused);
        client.Request(new CallId(1, 2), 0, [1]); // its slot is free
        Assert.Equal(new CallId(1, 2), client.Read().Id);
    }

    [Fact]
    public void Nothing_of_a_refused_request_is_decoded()
    {
        var client = Open(out var echo);
        _shared.Admission.Set(0.02, new AdmissionCut(0, 0, 0));

        client.Request(new CallId(1, 1), 0, [1]);
        client.SendFrame(FrameKind.Request, new CallId(2, 1), [0, 0, (byte)RequestOptions.OneWay, 0, 1]);
        client.Begin(FrameKind.Request, new CallId(3, 1), 20, [0, 0, 0, 0]);
        client.Continue(FrameKind.Request, new CallId(3, 1), new byte[20], isLast: true); // crossed the answer

        Assert.Empty(echo.Bodies);
        Assert.Equal([1, 2, 3], client.ReadAll().Select(answer => answer.Id.Slot));
        Assert.True(client.Sut.Requests.IsEmpty);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(200)]
    [InlineData(255)]
    public void Requests_without_a_trace_are_taken_evenly(int taken)
    {
        var client = Open();
        _shared.Admission.Set(taken / 256.0, new AdmissionCut(256, taken, 0));

        for (int slot = 1; slot <= Calls; slot++) client.Request(new CallId(slot, 1), 0, [1]);

        var answers = client.ReadAll().Select(answer => answer.Kind).ToList();
        Assert.Equal(taken, answers.Count(kind => kind == FrameKind.Response));
        for (int at = 0; at < Calls; at += 64) Assert.InRange(answers.Skip(at).Take(64).Count(kind => kind == FrameKind.Response), taken / 4 - 1, taken / 4 + 2);
    }

    [Fact]
    public void Low_priority_is_refused_before_normal_and_high()
    {
        var client = Open();
        _shared.Admission.Set(0.5, new AdmissionCut(256, 256, 0));

        RequestWith(client, new CallId(1, 1), MuxCallPriority.Low);
        RequestWith(client, new CallId(2, 1), MuxCallPriority.Normal);
        RequestWith(client, new CallId(3, 1), MuxCallPriority.High);

        Assert.Equal([FrameKind.Fail, FrameKind.Response, FrameKind.Response], client.ReadAll().Select(answer => answer.Kind));
        Assert.Equal([1, 1, 1], new[] { MuxCallPriority.Low, MuxCallPriority.Normal, MuxCallPriority.High }.Select(_shared.Admission.TakeArrived));
    }

    [Fact]
    public void The_calls_of_a_trace_are_taken_or_refused_together_by_all_servers()
    {
        var random = new Random(TestSeed.Next());
        var clients = Enumerable.Range(0, 3).Select(_ => Open()).ToList();
        _shared.Admission.Set(0.5, new AdmissionCut(256, 128, 0));
        foreach (var client in clients) client.Request(new CallId(1, 1), 0, [1]);
        clients[1].Request(new CallId(2, 1), 0, [1]); // what came before at one of them makes no difference
        foreach (var client in clients) client.ReadAll();
        int taken = 0;
        for (int trace = 1; trace <= 1_000; trace++)
        {
            var id = new byte[16];
            random.NextBytes(id);
            var kinds = clients.Select(client =>
            {
                client.SendFrame(FrameKind.Request, new CallId(1, (uint)trace + 1), [0, 0, (byte)RequestOptions.Trace, 0, .. id, .. new byte[8], 0, 1]);
                return client.Read().Kind;
            }).Distinct().ToList();
            taken += Assert.Single(kinds) == FrameKind.Response ? 1 : 0;
        }

        Assert.InRange(taken, 400, 600);
    }

    [Fact]
    public void A_deadline_is_reduced_by_the_time_in_which_the_request_was_not_read()
    {
        var client = Open(out var echo);
        _shared.Admission.SetTimes(0, 40_000);

        client.SendFrame(FrameKind.Request, new CallId(1, 1), [0, 0, (byte)RequestOptions.Deadline, 0, 0x20, 0x4E, 0, 0, 1]); // 20,000 us, half a round

        Assert.True(FailFrame.TryRead(client.Read().Payload, out var fail, out _));
        Assert.Equal((byte)MuxStatus.DeadlineExceeded, fail.Status);
        Assert.Empty(echo.Bodies);
        client.SendFrame(FrameKind.Request, new CallId(1, 2), [0, 0, (byte)RequestOptions.Deadline, 0, 0x21, 0x4E, 0, 0, 1]);
        Assert.Equal(FrameKind.Response, client.Read().Kind);
    }

    [Fact]
    public void Requests_that_differ_in_a_priority_alone_cost_no_memory()
    {
        var first = InboundExtras.Of(RequestOptions.Deadline | (RequestOptions)MuxCallPriority.High, null, []);

        Assert.Same(first, InboundExtras.Of(first.Options, null, []));
        Assert.NotSame(first, InboundExtras.Of(first.Options, default(TraceContext), []));
    }

    private static void RequestWith(ScriptedPeer client, CallId id, MuxCallPriority priority) =>
        client.SendFrame(FrameKind.Request, id, [0, 0, (byte)priority, 0, 1]);

    private ScriptedPeer Open() => Open(out _);

    private ScriptedPeer Open(out ProbeMethod echo)
    {
        var client = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Shared = _shared, Work = new ManualWork() });
        echo = client.Methods.Add("test/Echo");
        echo.Handler = static body => body;
        client.Define(0, "test/Echo");
        _clients.Add(client);
        return client;
    }

    private sealed class NoStalls : IStallWatch
    {
        public void OnStalled(long now)
        {
        }
    }
}
