using System.Diagnostics;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Epoll;

public sealed class JoinedBatchTests
{
    private readonly JoinedBatch _sut = new();
    private readonly List<string> _ended = [];

    [Fact]
    public void While_the_loop_waits_nobody_joins()
    {
        Assert.False(_sut.TryAdd(Receiver("a")));
        Open();
        _sut.Close();
        Assert.False(_sut.TryAdd(Receiver("a")));
        Assert.Empty(_ended);
    }

    [Fact]
    public void Who_joins_while_the_loop_works_has_one_batch_ended_however_often_it_joined()
    {
        var (a, b) = (Receiver("a"), Receiver("b"));
        Open();
        Assert.True(_sut.TryAdd(a));
        Assert.True(_sut.TryAdd(b));
        Assert.True(_sut.TryAdd(a));
        Assert.Empty(_ended);

        _sut.Close();

        Assert.Equal(["a", "b"], _ended);
    }

    [Fact]
    public void Who_joins_while_batches_end_has_its_own_ended_too_and_after_that_nobody_joins()
    {
        var late = Receiver("late");
        var tooLate = Receiver("too late");
        late.WhenEnded = () => Assert.False(_sut.TryAdd(tooLate));
        var first = Receiver("first");
        first.WhenEnded = () => Assert.True(_sut.TryAdd(late));
        Open();
        Assert.True(_sut.TryAdd(first));

        _sut.Close();

        Assert.Equal(["first", "late"], _ended);
    }

    [Fact]
    public void A_link_that_is_over_has_no_batch_ended()
    {
        EpollReceiver over = Receiver("over");
        Open();
        over.Release();
        Assert.True(_sut.TryAdd(over)); // it was asked just before

        _sut.Close();

        Assert.Empty(_ended);
    }

    [Fact]
    public void A_loop_that_has_been_at_it_for_long_takes_nobody_until_it_has_ended_batches()
    {
        var a = Receiver("a");
        _sut.Open(Stopwatch.GetTimestamp() - Stopwatch.Frequency);
        Assert.False(_sut.TryAdd(a));

        _sut.EndAll(Stopwatch.GetTimestamp(), delivering: null);

        Assert.True(SpinWait.SpinUntil(() => TryAddAnew(a), Awaited.Patience));
    }

    [Fact]
    public void In_a_delivery_the_others_have_their_batches_ended()
    {
        EpollReceiver delivering = Receiver("delivering");
        Open();
        Assert.True(_sut.TryAdd(delivering));
        Assert.True(_sut.TryAdd(Receiver("other")));

        _sut.EndAll(Stopwatch.GetTimestamp(), delivering);
        Assert.Equal(["other"], _ended);

        _sut.Close();
        Assert.Equal(["other"], _ended);
    }

    [Fact]
    public void The_loop_does_not_send_for_more_than_sixteen_links()
    {
        var links = Enumerable.Range(0, 17).Select(i => Receiver(i.ToString(System.Globalization.CultureInfo.InvariantCulture))).ToList();
        Open();
        Assert.All(links.Take(16), link => Assert.True(_sut.TryAdd(link)));
        Assert.False(_sut.TryAdd(links[16]));
        Assert.True(_sut.TryAdd(links[0])); // it has joined already

        _sut.Close();
        Assert.Equal(16, _ended.Count);
    }

    /// <summary>An hour ahead, so that a test that is held up is not taken for a loop that is.</summary>
    private void Open() => _sut.Open(Stopwatch.GetTimestamp() + (3_600 * Stopwatch.Frequency));

    private bool TryAddAnew(EpollReceiver receiver)
    {
        _sut.EndAll(Stopwatch.GetTimestamp(), delivering: null);
        return _sut.TryAdd(receiver);
    }

    private Handler Receiver(string name) => new(name, _ended);

    private sealed class Handler : ILinkHandler
    {
        private readonly string _name;
        private readonly List<string> _ended;
        private readonly EpollReceiver _receiver;

        public Handler(string name, List<string> ended)
        {
            (_name, _ended) = (name, ended);
            _receiver = new EpollReceiver(null!, null!, -1, this); // nothing is received
        }

        public Action? WhenEnded { get; set; }

        public static implicit operator EpollReceiver(Handler handler) => handler._receiver;

        public void OnBatchEnd()
        {
            _ended.Add(_name);
            WhenEnded?.Invoke();
        }

        public void OnConnected() => Assert.Fail("It is not connected.");

        public int OnReceived(ReadOnlySpan<byte> bytes) => bytes.Length;

        public void OnWritable() => Assert.Fail("Nothing was refused.");

        public void OnClosed(LinkCloseCause cause, Exception? error) => Assert.Fail("It was not started.");
    }
}
