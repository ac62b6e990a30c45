using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.EndToEnd;

/// <summary>Where handlers and continuations run: in the turn of their connection, on a worker or on the thread pool, as the contract says, else the server or channel.</summary>
public sealed class DispatchTests : EndToEndTests
{
    /// <summary>A method, what server and channel say, and whether user code is to run in the turn.</summary>
    public static TheoryData<TransportKind, string, MuxDispatchMode, bool> Choices()
    {
        var choices = new TheoryData<TransportKind, string, MuxDispatchMode, bool>();
        foreach (var kind in EveryTransport.Kinds)
        {
            choices.Add(kind, nameof(IDesk.AskPlainly), MuxDispatchMode.Default, true); // adaptive, and it is not known to be dear
            choices.Add(kind, nameof(IDesk.AskPlainly), MuxDispatchMode.Adaptive, true);
            choices.Add(kind, nameof(IDesk.AskPlainly), MuxDispatchMode.Inline, true);
            choices.Add(kind, nameof(IDesk.AskPlainly), MuxDispatchMode.Pool, false);
            choices.Add(kind, nameof(IDesk.AskInline), MuxDispatchMode.Pool, true);
            choices.Add(kind, nameof(IDesk.AskOnPool), MuxDispatchMode.Inline, false);
        }

        return choices;
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Choices))]
    public async Task A_handler_runs_where_its_contract_says_or_else_the_server(TransportKind kind, string method, MuxDispatchMode dispatch, bool inTurn)
    {
        var scene = Begin(kind);
        bool? ranInTurn = null;
        var desk = new Desk
        {
            OnAsk = (_, _) =>
            {
                ranInTurn = Turn.Owner is not null;
                return new(new Answer());
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Dispatch = dispatch);
        await Ask(scene.CreateChannel(server).CreateProxy<IDesk>(), method);
        Assert.Equal(inTurn, ranInTurn);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Choices))]
    public async Task A_continuation_runs_where_its_contract_says_or_else_the_channel(TransportKind kind, string method, MuxDispatchMode dispatch, bool inTurn)
    {
        var scene = Begin(kind);
        var answer = new Signal("the answer, after the caller has begun to wait for it");
        var server = scene.StartServer(server => server.AddService<IDesk>(Desk.AnsweringAfter(answer)));
        var sut = scene.CreateChannel(server, options => options.Dispatch = dispatch).CreateProxy<IDesk>();
        var ranInTurn = CallAsync();
        answer.Set();
        Assert.Equal(inTurn, await ranInTurn.Within("the continuation"));

        async Task<bool> CallAsync()
        {
            await Ask(sut, method).ConfigureAwait(false);
            return Turn.Owner is not null;
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_names_its_thread_and_changes_its_priority_leaves_neither_behind(TransportKind kind)
    {
        var scene = Begin(kind);
        var found = new List<(string? Name, ThreadPriority Priority)>();
        var desk = new Desk
        {
            OnAsk = (_, _) =>
            {
                var thread = Thread.CurrentThread;
                lock (found) found.Add((thread.Name, thread.Priority));
                (thread.Name, thread.Priority) = ("of a handler", ThreadPriority.BelowNormal);
                return new(new Answer());
            },
        };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        for (int call = 0; call < 20; call++)
        {
            await sut.AskInline(new Question(), TestContext.Current.CancellationToken);
            await sut.AskOnPool(new Question(), TestContext.Current.CancellationToken);
        }

        Assert.Equal(40, found.Count);
        Assert.DoesNotContain(found, thread => thread.Name == "of a handler" || thread.Priority != ThreadPriority.Normal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_this_side_fails_continues_on_the_pool_whatever_was_asked_for(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.NobodysAddress()).CreateProxy<IDesk>();
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        Assert.False(await CallAsync().Within("the continuation"));

        async Task<bool> CallAsync()
        {
            try
            {
                await sut.AskInline(new Question(), TestContext.Current.CancellationToken).ConfigureAwait(false);
            }
            catch (MuxException error) when (error.Status == MuxStatus.Unavailable)
            {
                return Turn.Owner is not null;
            }

            return true;
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Inline_is_the_thread_that_received_and_pool_is_another_one()
    {
        int pumping = 0;
        var threads = new List<(string Who, int Thread)>();
        var ended = new Signal("the thread that pumps");
        var thread = new Thread(() =>
        {
            var transport = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true });
            pumping = Environment.CurrentManagedThreadId;
            Run(transport, threads);
            ended.Set();
        });
        thread.Start();
        await ended.WaitAsync();
        Assert.Equal(4, threads.Count);
        Assert.All(threads.Where(ran => ran.Who.StartsWith("inline", StringComparison.Ordinal)), ran => Assert.Equal(pumping, ran.Thread));
        Assert.All(threads.Where(ran => ran.Who.StartsWith("pool", StringComparison.Ordinal)), ran => Assert.NotEqual(pumping, ran.Thread));
    }

    private static void Run(InMemoryTransport transport, List<(string Who, int Thread)> threads)
    {
        var desk = new Desk
        {
            OnAsk = (question, _) =>
            {
                lock (threads) threads.Add(($"{question.Text} handler", Environment.CurrentManagedThreadId));
                return new(new Answer());
            },
        };
        var server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", Transport = transport });
        server.AddService<IDesk>(desk).Start();
        var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://memory:1", Transport = transport });
        var sut = channel.CreateProxy<IDesk>();
        foreach (var call in new[] { CallAsync("inline", sut.AskInline), CallAsync("pool", sut.AskOnPool) })
        {
            while (!call.IsCompleted) transport.Pump();
        }

        var disposal = Task.WhenAll(channel.DisposeAsync().AsTask(), server.StopAsync());
        while (!disposal.IsCompleted) transport.Pump();

        async Task CallAsync(string who, Func<Question, CancellationToken, ValueTask<Answer>> ask)
        {
            await ask(new Question { Text = who }, CancellationToken.None).ConfigureAwait(false);
            lock (threads) threads.Add(($"{who} continuation", Environment.CurrentManagedThreadId));
        }
    }

    private static ValueTask<Answer> Ask(IDesk desk, string method) => method switch
    {
        nameof(IDesk.AskInline) => desk.AskInline(new Question(), TestContext.Current.CancellationToken),
        nameof(IDesk.AskOnPool) => desk.AskOnPool(new Question(), TestContext.Current.CancellationToken),
        _ => desk.AskPlainly(new Question()),
    };
}
