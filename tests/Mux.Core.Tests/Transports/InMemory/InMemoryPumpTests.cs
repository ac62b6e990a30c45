using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Transports.InMemory;

/// <summary>The thread that pumps: how it starts, and how another one takes its place.</summary>
[Collection(nameof(TransportTests))]
public sealed class InMemoryPumpTests
{
    private static readonly MuxAddress s_address = MuxAddress.Parse("mux://server:7070");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_thread_starts_once_for_the_events_of_an_entry_and_outside_the_gate(bool isStarted)
    {
        var link = new InMemoryLink(new InMemoryNetwork(new InMemoryTransportOptions()), s_address);
        var starts = new List<bool>();
        InMemoryPump sut = null!;
        sut = new InMemoryPump(manual: false, _ =>
        {
            starts.Add(sut.IsHeldByCurrentThread);
            return true;
        });
        using (sut.Enter())
        {
            if (isStarted) sut.PostLocked(link, InMemoryEventKind.Writable);
            if (isStarted) sut.PostLocked(link, InMemoryEventKind.Writable);
            Assert.Empty(starts);
        }

        using (sut.Enter())
        {
            if (isStarted) sut.PostLocked(link, InMemoryEventKind.Writable);
        }

        Assert.Equal(isStarted ? [false] : [], starts);
    }

    [Fact]
    public async Task A_handler_that_throws_in_place_of_a_stuck_thread_loses_its_link_and_the_others_are_pumped()
    {
        var transport = new InMemoryTransport();
        var stuck = new StuckHandler { OnRest = () => throw new InvalidOperationException("of the test") };
        var dialer = Connect(transport, stuck);
        await stuck.Entered.WaitAsync();
        StuckHandler.Succeed(stuck);
        await stuck.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Failed, stuck.Cause);
        await dialer.Closed.WaitAsync();
        await AssertPumpsAsync(transport);
        stuck.Release.Set();
    }

    [Fact]
    public async Task A_thread_that_throws_after_another_one_has_taken_its_place_affects_nothing()
    {
        var transport = new InMemoryTransport();
        var stuck = new StuckHandler { Thrown = new InvalidOperationException("of the test") };
        stuck.OnRest = () =>
        {
            stuck.Release.Set();
            Assert.True(SpinWait.SpinUntil(IsOver, Awaited.Patience), "The thread that lost its place does not rest.");
        };
        var dialer = Connect(transport, stuck);
        await stuck.Entered.WaitAsync();
        StuckHandler.Succeed(stuck);
        await stuck.Received.ReachAsync(2);
        dialer.Send("cd"u8);
        await stuck.Received.ReachAsync(4);
        await AssertPumpsAsync(transport);
        dialer.Close();
        await stuck.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.EndOfStream, stuck.Cause);

        bool IsOver() => stuck.IsThrowing && (stuck.Thread!.ThreadState & ThreadState.WaitSleepJoin) != 0;
    }

    private static LinkProbe Connect(InMemoryTransport transport, StuckHandler handler)
    {
        var dialer = new LinkProbe("dialer");
        dialer.WhenConnected = () => dialer.Send("ab"u8);
        transport.Listen(s_address, handler.Start);
        dialer.Start(transport.CreateLink(s_address));
        return dialer;
    }

    private static async Task AssertPumpsAsync(InMemoryTransport transport)
    {
        await using var pair = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://memory:0"));
        pair.Dialer.Send("abc"u8);
        await pair.Acceptor.Consumed.ReachAsync(3);
    }

    /// <summary>Stays in its first delivery until the test lets it go, when another thread has taken its place.</summary>
    private sealed class StuckHandler : ILinkHandler
    {
        private Link? _link;

        public Action OnRest { get; set; } = () => { };

        /// <summary>What the stuck thread throws; it returns if this is null.</summary>
        public Exception? Thrown { get; init; }

        public Signal Entered { get; } = new("the first delivery");

        public Signal Release { get; } = new("the release of the stuck thread");

        public Signal Closed { get; } = new("the end of the link");

        public Counter Received { get; } = new("bytes received");

        public Thread? Thread { get; private set; }

        public LinkCloseCause Cause { get; private set; }

        public bool IsThrowing { get; private set; }

        /// <summary>Continues after the first byte.</summary>
        public static void Succeed(StuckHandler handler) =>
            new Thread(() => handler._link!.HandOver(1)) { IsBackground = true, Name = "successor" }.Start();

        public void Start(Link link)
        {
            _link = link;
            link.Start(this);
        }

        public void OnConnected()
        {
        }

        public int OnReceived(ReadOnlySpan<byte> bytes)
        {
            if (Thread is null)
            {
                Thread = Thread.CurrentThread;
                Received.Add();
                Entered.Set();
                Release.Wait();
                IsThrowing = true;
                if (Thrown is { } error) throw error;
                return Link.HandedOver;
            }

            if (Received.Count == 1) OnRest();
            Received.Add(bytes.Length);
            return bytes.Length;
        }

        public void OnBatchEnd()
        {
        }

        public void OnWritable()
        {
        }

        public void OnClosed(LinkCloseCause cause, Exception? error)
        {
            Cause = cause;
            Closed.Set();
        }
    }
}
