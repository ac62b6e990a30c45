using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

public sealed class WaitingWorkTests
{
    private readonly WaitingWork _sut = new();
    private readonly ClockReadings _clocks = new();
    private readonly List<EndedWork> _ended = [];
    private int _asked;

    [Fact]
    public void One_look_asks_no_more_than_a_slice_and_a_round_asks_each_item_once()
    {
        const int Items = 65_536;
        for (int i = 0; i < Items; i++) _sut.Add(new Item(this), 1);
        long now = 1_000;
        for (int look = 1; look <= Items / WaitingWork.SliceSize; look++)
        {
            Assert.True(_sut.IsLookDue(now));
            _sut.TakeAbandoned(now++, _clocks, _ended);
            Assert.Equal(look * WaitingWork.SliceSize, _asked);
        }

        Assert.False(_sut.IsLookDue(1_009));
    }

    [Fact]
    public void The_next_round_begins_ten_milliseconds_after_the_last()
    {
        _sut.Add(new Item(this), 0);
        _sut.TakeAbandoned(1_000, _clocks, _ended);
        _sut.TakeAbandoned(1_009, _clocks, _ended);
        Assert.Equal(1, _asked);
        _sut.TakeAbandoned(1_010, _clocks, _ended);
        Assert.Equal(2, _asked);
    }

    [Fact]
    public void Abandoned_items_leave_and_the_others_keep_their_order()
    {
        var items = Enumerable.Range(0, 5_000).Select(number => new Item(this) { IsOver = number % 3 == 0 }).ToList();
        foreach (var item in items) _sut.Add(item, 2);
        for (long now = 1_000; now < 1_003; now++) _sut.TakeAbandoned(now, _clocks, _ended);
        var kept = items.Where(item => !item.IsOver).ToList();
        Assert.Equal((items.Count - kept.Count, kept.Count, 2L * kept.Count), (_ended.Count, _sut.Count, _sut.Bytes));
        Assert.Same(kept[0], _sut.First);
        Assert.Equal(kept, TakeAll());
        Assert.Equal((0, 0L), (_sut.Count, _sut.Bytes));
        Assert.Null(_sut.First);
    }

    [Fact]
    public void Items_that_come_while_others_leave_from_the_middle_keep_their_order_and_are_asked()
    {
        var first = new Item(this);
        var expected = new List<IWork> { first };
        _sut.Add(first, 0);
        long now = 1_000;
        for (int round = 0; round < 500; round++)
        {
            for (int i = 0; i < 50; i++) _sut.Add(new Item(this) { IsOver = true }, 1);
            var stays = new Item(this);
            _sut.Add(stays, 0);
            expected.Add(stays);
            now += 10;
            while (_sut.IsLookDue(now)) _sut.TakeAbandoned(now, _clocks, _ended);
            Assert.Equal((expected.Count, 0L), (_sut.Count, _sut.Bytes));
        }

        Assert.Equal(500 * 50, _ended.Count);
        Assert.Equal(expected, TakeAll());
    }

    [Fact]
    public void The_last_are_taken_where_too_many_wait()
    {
        var items = Enumerable.Range(0, 100).Select(number => new Item(this) { IsOver = number is 3 or 99 }).ToList();
        foreach (var item in items) _sut.Add(item, 1);
        _sut.TakeAbandoned(1_000, _clocks, _ended);
        _sut.TakeExcess(10, _ended);
        Assert.Equal((10, 10L, 90), (_sut.Count, _sut.Bytes, _ended.Count));
        var late = new Item(this);
        _sut.Add(late, 1);
        Assert.Equal([.. items.Where(item => !item.IsOver).Take(10), late], TakeAll());
    }

    [Fact]
    public void Each_item_is_asked_with_the_time_of_its_own_clock()
    {
        var clocks = Enumerable.Range(1, 4).Select(time => new StoppedClock(time)).ToList();
        var items = Enumerable.Range(0, 40).Select(number => new Item(this) { Clock = clocks[number % 4], Due = 2 }).ToList();
        foreach (var item in items) _sut.Add(item, 0);
        for (long now = 1_000; now < 1_010; now++)
        {
            if (!_sut.IsLookDue(now)) continue;
            _clocks.Read();
            _sut.TakeAbandoned(now, _clocks, _ended);
        }

        Assert.Equal(items.Where((_, number) => number % 4 == 0), TakeAll());
        Assert.All(clocks, clock => Assert.InRange(clock.Reads, 1, 10));
    }

    private List<IWork> TakeAll()
    {
        var taken = new List<IWork>();
        while (_sut.TryTake(out var item)) taken.Add(item);
        return taken;
    }

    private sealed class StoppedClock(long time) : IWorkClock
    {
        public int Reads { get; private set; }

        public long Now
        {
            get
            {
                Reads++;
                return time;
            }
        }
    }

    private sealed class Item(WaitingWorkTests test) : IWork, IWorkOwner
    {
        public string Name => "a test";

        public IWorkOwner Owner => this;

        public bool IsOver { get; init; }

        public IWorkClock? Clock { get; init; }

        public long Due { get; init; } = long.MaxValue;

        public bool IsAbandoned(long now)
        {
            test._asked++;
            return IsOver || Due <= now;
        }

        public void Execute()
        {
        }

        public void OnStalled(WorkStall stall)
        {
        }
    }
}
