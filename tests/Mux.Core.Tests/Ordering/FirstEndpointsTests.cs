using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Client;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>Ordered calls of a channel that does not know its servers yet.</summary>
public sealed class FirstEndpointsTests
{
    private readonly Source _source = new();
    private readonly EndpointRouter _sut;

    public FirstEndpointsTests() =>
        _sut = new EndpointRouter(EngineSettings.RouterOf(new MuxChannelOptions { Transport = new Links(), MaxQueuedBytes = 1 << 30 }, NullLoggerFactory.Instance, _source));

    /// <summary>One caller makes one call after the other, while the set comes.</summary>
    [Fact]
    public async Task Calls_of_a_key_keep_their_order_while_the_first_endpoints_come()
    {
        const int Before = 2_000, Most = 40_000;
        var known = new Signal("the first endpoints");
        var enough = new Signal("calls without an endpoint");
        var made = new List<Call>();
        var caller = Task.Run(
            () =>
            {
                for (int after = 0; made.Count < Most && after < 100;)
                {
                    var call = new Call(made.Count);
                    made.Add(call);
                    _sut.Start(call, [1]);
                    if (made.Count == Before) enough.Set();
                    if (known.IsSet) after++;
                }
            },
            TestContext.Current.CancellationToken);
        await enough.WaitAsync();
        _sut.Apply(new EndpointSet([new MuxEndpoint(MuxAddress.Parse("mux://one:1"))]));
        known.Set();
        await caller.Within("the calls of the caller");

        await Eventually.Holds(() => _sut.GetEndpoints().Single().Calls == made.Count, "all calls at the connection");
        Assert.Equal(Enumerable.Range(0, made.Count), OrderOf(made[0]));
    }

    [Fact]
    public async Task All_calls_fail_that_wait_for_a_source_that_fails()
    {
        var calls = Enumerable.Range(0, 10).Select(static number => new Call(number)).ToList();
        foreach (var call in calls) _sut.Start(call, [1]);
        Assert.DoesNotContain(calls, static call => call.Failure is not null);

        _source.Failure.SetResult(new TimeoutException("No answer."));

        await Eventually.Holds(() => calls.TrueForAll(static call => call.Failure is { Execution: MuxExecution.NotExecuted }), "the failures of all calls");
        Assert.Empty(_sut.GetEndpoints());
    }

    [Fact]
    public async Task Calls_behind_one_that_a_disposal_fails_are_failed_with_it()
    {
        var calls = Enumerable.Range(0, 10).Select(static number => new Call(number)).ToList();
        foreach (var call in calls) _sut.Start(call, [1]);

        await _sut.DisposeAsync();

        await Eventually.Holds(() => calls.TrueForAll(static call => call.Failure is { Execution: MuxExecution.NotExecuted }), "the failures of all calls");
        var late = new Call(10);
        _sut.Start(late, [1]);
        Assert.Equal(MuxExecution.NotExecuted, late.Failure?.Execution);
    }

    /// <summary>The numbers of the calls that wait with one for a connection.</summary>
    private static List<int> OrderOf(OutgoingCall call)
    {
        while (call.Previous is { } before) call = before;
        List<int> numbers = [];
        for (var next = (OutgoingCall?)call; next is not null; next = next.Next) numbers.Add(((Call)next).Number);
        return numbers;
    }

    /// <summary>A source that names no endpoints, and fails when the test says so.</summary>
    private sealed class Source : IEndpointSource
    {
        public TaskCompletionSource<Exception> Failure { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public string Name => "test://silent";

        public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            throw await Failure.Task.WaitAsync(cancellationToken);
#pragma warning disable CS0162 // makes it an enumerator
            yield break;
#pragma warning restore CS0162
        }
    }

    private sealed class Links : ITransport
    {
        public Link CreateLink(MuxAddress address) => new TestLink();

        public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => throw new NotSupportedException();
    }

    private sealed class Call : OutgoingCall
    {
        private static readonly MethodDescriptor s_method =
            new("test", "Method", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered } };

        public Call(int number) => (Number, Method, Key) = (number, s_method, 5ul << 54);

        public int Number { get; }

        public CallFailure? Failure { get; private set; }

        public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally) => EndTimer(replied: true);

        public override void OnFailed(CallFailure failure, bool inTurn)
        {
            EndTimer(replied: false);
            Failure = failure;
        }

        public override void OnAppended()
        {
            // Not one-way.
        }
    }
}
