using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>A message that cannot be encoded harms its own call and nothing else.</summary>
public sealed class EncodeFailureTests : EndToEndTests
{
    private static readonly List<string?> s_unencodable = [null];

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Of_100_000_calls_those_that_cannot_be_encoded_fail_and_all_others_succeed(TransportKind kind)
    {
        const int Calls = 100_000;
        const int Every = 1000;
        const int Callers = 50;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = scene.CreateChannel(server);
        var sut = channel.CreateProxy<IDesk>();
        int next = 0, failures = 0;
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(CallAsync)));

        Assert.Equal(Calls / Every, failures);
        Assert.Equal(1, scene.Transport.Dialed.Count);
        var (sent, received) = (channel.GetStatistics(), server.GetStatistics());
        Assert.Equal((Calls, Calls), (sent.CallsStarted, sent.CallsCompleted));
        Assert.Equal(Calls - failures, received.CallsStarted);
        Assert.Equal(Calls - failures + 1, received.FramesReceived); // one DEFINE beside the requests: of those that failed nothing was sent
        Assert.Equal(0, received.ProtocolErrors);

        async Task CallAsync()
        {
            while (Interlocked.Increment(ref next) is <= Calls and var id)
            {
                var question = new Question { Id = id, Names = id % Every == 0 ? s_unencodable : null };
                try
                {
                    Assert.Equal(id, (await sut.AskPlainly(question)).Id);
                    Assert.NotEqual(0, id % Every);
                }
                catch (MuxException error)
                {
                    Assert.Equal(0, id % Every);
                    Assert.Equal((MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Encode), (error.Status, error.Execution, error.Phase));
                    Interlocked.Increment(ref failures);
                }
            }
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_that_cannot_be_encoded_says_why(TransportKind kind)
    {
        var sut = Start(Begin(kind), new Desk());
        var error = await sut.AskPlainly(new Question { Names = s_unencodable }).FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Encode);
        Assert.Contains("test.Desk/AskPlainly", error.Message, StringComparison.Ordinal);
        Assert.Contains("Names", error.Message, StringComparison.Ordinal);
        await sut.Tell(new Question { Names = s_unencodable }, TestContext.Current.CancellationToken).AsTask().FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Encode);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_that_is_null_is_an_invalid_argument(TransportKind kind)
    {
        var sut = Start(Begin(kind), new Desk());
        var error = await sut.AskPlainly(null!).FailsAsync(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Encode);
        Assert.Contains("null cannot be sent", error.Message, StringComparison.Ordinal);
        Assert.IsType<ArgumentNullException>(error.InnerException);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_null_that_the_contract_forbids_fails_at_its_caller_and_names_the_parameter(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IForms>(new Forms()));
        var sut = scene.CreateChannel(server).CreateProxy<IForms>();
        await RefusesAsync("IForms.Several(numbers)", sut.Several(1, null!, null, null, TestContext.Current.CancellationToken));
        await RefusesAsync("IForms.Store(question)", sut.Store(null!, 1).AsTask());
        await RefusesAsync("IForms.Post(text)", sut.Post(null!).AsTask());
        Assert.Null(await sut.Text(null, TestContext.Current.CancellationToken));
        Assert.Equal(1, server.GetStatistics().CallsStarted);

        static async Task RefusesAsync(string argument, Task call)
        {
            var error = await call.FailsAsync(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Encode);
            Assert.Contains($"{argument}: null cannot be sent", error.Message, StringComparison.Ordinal);
            Assert.IsType<ArgumentNullException>(error.InnerException);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_reply_that_cannot_be_encoded_fails_its_call_and_leaves_the_others_whole(TransportKind kind)
    {
        const int Calls = 1000;
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ReplyUnencodable");
        var desk = new Desk
        {
            // The answer begins with bytes that can be encoded, here and in the calls around it.
            OnAsk = (question, _) => new(new Answer { Id = question.Id, Bytes = new byte[question.Id], Names = question.Id % 10 == 0 ? s_unencodable : null }),
        };
        var sut = Start(scene, desk);
        var inTurn = Enumerable.Range(1, Calls).Select(id => (id, sut.AskInline(new Question { Id = id }, TestContext.Current.CancellationToken).AsTask()));
        var elsewhere = Enumerable.Range(1, Calls).Select(id => (id, sut.AskOnPool(new Question { Id = id }, TestContext.Current.CancellationToken).AsTask()));
        foreach (var (id, call) in inTurn.Concat(elsewhere).ToList())
        {
            if (id % 10 != 0) Assert.Equal(id, (await call).Bytes!.Length);
            else await call.FailsAsync(MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Handler);
        }

        Assert.Equal(2 * Calls / 10, scene.Logs.Of("ReplyUnencodable").Count);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    private static IDesk Start(Scene scene, Desk desk) => scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
}
